import type { CustomerEvent } from '../../events/customer-event';
import { traceparentOf } from '../../events/event-trace';
import { nextAcceptedSql } from '../../events/inbox/inbox-lag';
import type { OpenTransaction } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { Place } from '../order/places';

/** A delivery to be: one event for one destination. */
export interface NewDelivery {
  /** UUIDv7. */
  readonly id: string;
  readonly destinationId: string;
  /** The event, as far as the ledger goes. */
  readonly event: Pick<CustomerEvent, 'id' | 'subject' | 'timestamp'> & {
    readonly type: string;
    readonly sourceId?: string;
  };
  /** The JSON text of a notice, which is no stored event. */
  readonly payload?: string;
}

/** One for a destination with an order. */
export interface OrderedDelivery extends NewDelivery, Place {}

const COLUMNS = 'id, destination_id, subject, event_timestamp, event_id, event_type';
const insertDeliveriesSql = prepared('insert_deliveries')`
  insert into delivery (${COLUMNS}, payload, due_at)
  select ${COLUMNS}, payload::json, statement_timestamp() + $1 * interval '1 millisecond'
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[])
    as d(${COLUMNS}, payload)`;
// A statement of its own, so that traces cost nothing when there are none.
const insertTracedDeliveriesSql = prepared('insert_traced_deliveries')`
  insert into delivery (${COLUMNS}, payload, traceparent, due_at)
  select ${COLUMNS}, payload::json, traceparent, statement_timestamp() + $1 * interval '1 millisecond'
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[], $9::text[])
    as d(${COLUMNS}, payload, traceparent)`;

// Nobody takes them before their turn.
const insertOrderedDeliveriesSql = prepared('insert_ordered_deliveries')`
  insert into delivery (${COLUMNS}, payload, traceparent, person, place, due_at)
  select ${COLUMNS}, payload::json, traceparent, person, coalesce(place, ${nextAcceptedSql}), 'infinity'
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[], $8::text[],
    $9::bigint[], $10::bigint[]) as d(${COLUMNS}, payload, traceparent, person, place)`;

/**
 * Writes pending deliveries with one statement.
 * @transition [*] --> pending
 * @param graceMs how long their jobs have before the sweeper takes them
 */
export function insertDeliveries(
  deliveries: readonly NewDelivery[],
  graceMs: number,
  tx: OpenTransaction,
): void {
  if (deliveries.length === 0) return;
  const traceparents = deliveries.map(({ event }) => traceparentOf(event));
  const traced = traceparents.some((traceparent) => traceparent !== undefined);
  tx.send(traced ? insertTracedDeliveriesSql : insertDeliveriesSql, [
    graceMs,
    ...columnsOf(deliveries),
    ...(traced ? [traceparents] : []),
  ]);
}

/** The same for destinations with an order, where they wait for their turns. */
export function insertOrderedDeliveries(deliveries: readonly OrderedDelivery[], tx: OpenTransaction): void {
  if (deliveries.length === 0) return;
  tx.send(insertOrderedDeliveriesSql, [
    ...columnsOf(deliveries),
    deliveries.map(({ event }) => traceparentOf(event)),
    deliveries.map(({ person }) => person),
    deliveries.map(({ place }) => place),
  ]);
}

function columnsOf(deliveries: readonly NewDelivery[]): unknown[] {
  return [
    deliveries.map(({ id }) => id),
    deliveries.map(({ destinationId }) => destinationId),
    deliveries.map(({ event }) => event.subject),
    deliveries.map(({ event }) => event.timestamp),
    deliveries.map(({ event }) => event.id),
    deliveries.map(({ event }) => event.type),
    deliveries.map(({ payload }) => payload),
  ];
}
