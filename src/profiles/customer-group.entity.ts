import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { JsonObject } from '../events/customer-event';

/** A group of customers, such as a company. For reading: events write groups, see `state/update-groups.ts`. */
@Entity('customer_group')
export class CustomerGroup {
  @PrimaryColumn('text', { name: 'group_id' })
  groupId: string;

  @Column('jsonb')
  traits: JsonObject;

  @Column('jsonb', { name: 'trait_clocks' })
  traitClocks: Record<string, string>;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
