import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { JsonObject, Subject } from '../../events/customer-event';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event on its way to one destination, in partitions by id. For reading: transitions are files of this folder. */
@Entity('delivery')
export class Delivery {
  /** UUIDv7: its time is when the event was routed. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'destination_id' })
  destinationId: string;

  @Column('text')
  subject: Subject;

  @Column('timestamptz', { name: 'event_timestamp' })
  eventTimestamp: Date;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'event_type' })
  eventType: string;

  /** Of a notice; that of an event is with the event. */
  @Column('json', { nullable: true })
  payload: JsonObject | null;

  @Column('text')
  state: DeliveryState;

  @Column('smallint')
  attempts: number;

  /** How many attempts there may be when it is not the configured number: a replay grants new ones. */
  @Column('smallint', { name: 'attempt_limit', nullable: true })
  attemptLimit: number | null;

  /** Tries that cost none of the attempts: probes, and those of batches that were divided. */
  @Column('smallint')
  probes: number;

  /** When the sweeper may take a pending delivery for forgotten; `Infinity` in a batch, and where it waits in an order. */
  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date | number;

  /** A worker is at it until then, and which one. */
  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil: Date | null;

  @Column('integer', { name: 'leased_by', nullable: true })
  leasedBy: number | null;

  /** Of the last try; or why it was given up untried. */
  @Column('text', { name: 'error_class', nullable: true })
  errorClass: string | null;

  @Column('uuid', { name: 'batch_id', nullable: true })
  batchId: string | null;

  @Column('text', { nullable: true })
  traceparent: string | null;

  /** The replay of stored events that made it; null when the event was routed as it came in. */
  @Column('uuid', { name: 'replay_id', nullable: true })
  replayId: string | null;

  /**
   * A hash of whose it is, in a destination with an order; and its position among theirs, as PostgreSQL writes numbers.
   */
  @Column('bigint', { nullable: true })
  person: string | null;

  @Column('bigint', { name: 'place', nullable: true })
  position: string | null;

  /** When it failed first; where there is an order. */
  @Column('timestamptz', { name: 'held_since', nullable: true })
  heldSince: Date | null;

  /** When those behind it were let pass. */
  @Column('timestamptz', { name: 'passed_at', nullable: true })
  passedAt: Date | null;

  /** What a transformation has seen of the person; null where none has asked. */
  @Column('jsonb', { nullable: true, select: false })
  context: JsonObject | null;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}

/** Why the last try of a delivery failed. What was given up untried has a reason, but no error. */
export function lastErrorOf({
  attempts,
  errorClass,
}: Pick<Delivery, 'attempts' | 'errorClass'>): string | null {
  return attempts > 0 ? errorClass : null;
}

/** Why a dead delivery was given up. */
export function deadReasonOf({ errorClass }: Pick<Delivery, 'errorClass'>): string {
  return errorClass ?? 'failed';
}
