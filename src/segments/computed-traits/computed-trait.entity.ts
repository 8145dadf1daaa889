import { Column, Entity } from 'typeorm';
import { Resource } from '../../platform/database/resources/resource.entity';
import type { MeasureDefinition } from '../rules/named-measures';

/** A value about what people did, by name: `computed.<name>` of a profile. */
@Entity('computed_trait')
export class ComputedTrait extends Resource {
  @Column('text')
  description: string;

  @Column('jsonb')
  definition: MeasureDefinition;
}
