import { Column, Entity } from 'typeorm';
import { Resource } from '../platform/database/resources/resource.entity';

/** Code of an operator that changes events on their way out, or makes events of what others post. */
@Entity('transformation')
export class Transformation extends Resource {
  @Column('text')
  description: string;

  /** A JavaScript module that exports `transform`. */
  @Column('text')
  code: string;
}
