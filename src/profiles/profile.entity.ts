import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { JsonObject, Subject } from '../events/customer-event';
import type { Total } from './state/profile-delta';

/**
 * A person, or an id that belongs to one. For reading: events write profiles by the statements of `state/`.
 */
@Entity('profile')
export class Profile {
  @PrimaryColumn('text')
  subject: Subject;

  /** The profile that the subject belongs to; null when it is one itself. */
  @Column('text', { name: 'merged_into', nullable: true })
  mergedInto: Subject | null;

  @Column('jsonb')
  traits: JsonObject;

  /** What decides the last writer of each trait, see `trait-clock.ts`. */
  @Column('jsonb', { name: 'trait_clocks' })
  traitClocks: Record<string, string>;

  @Column('text', { array: true })
  groups: string[];

  @Column('bigint', { name: 'event_count', transformer: { from: Number, to: String } })
  eventCount: number;

  /** By event name. */
  @Column('jsonb', { name: 'event_totals' })
  eventTotals: Record<string, Total>;

  /** Null as long as there are no events; as the next one. */
  @Column('timestamptz', { name: 'first_seen_at', nullable: true })
  firstSeenAt: Date | null;

  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt: Date | null;

  /** An alias named the subject, and no event has borne it so far. */
  @Column('boolean', { name: 'only_aliased' })
  onlyAliased: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
