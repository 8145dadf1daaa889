import type { CustomerEvent } from '../../events/customer-event';
import { traceparentOf } from '../../events/event-trace';
import { nextAcceptedSql } from '../../events/inbox/inbox-lag';
import type { OpenTransaction } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { Position } from '../order/positions';

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
  /** Of the replay that makes it. */
  readonly replayId?: string;
}

/** One for a destination with an order. */
export interface OrderedDelivery extends NewDelivery, Position {}

const COLUMNS = 'id, destination_id, subject, event_timestamp, event_id, event_type';
const insertDeliveriesSql = prepared('insert_deliveries')`
  insert into delivery (${COLUMNS}, payload, due_at)
  select ${COLUMNS}, payload::json, statement_timestamp() + $1 * interval '1 millisecond'
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[])
    as d(${COLUMNS}, payload)`;
// A statement of its own, so that traces and replays cost nothing when there are none.
const insertMarkedDeliveriesSql = prepared('insert_marked_deliveries')`
  insert into delivery (${COLUMNS}, payload, traceparent, replay_id, due_at)
  select ${COLUMNS}, payload::json, traceparent, replay_id, statement_timestamp() + $1 * interval '1 millisecond'
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[], $9::text[],
    $10::uuid[]) as d(${COLUMNS}, payload, traceparent, replay_id)`;

// Nobody takes them before they are the heads of their people.
const insertOrderedDeliveriesSql = prepared('insert_ordered_deliveries')`
  insert into delivery (${COLUMNS}, payload, traceparent, replay_id, person, place, due_at)
  select ${COLUMNS}, payload::json, traceparent, replay_id, person, coalesce(place, ${nextAcceptedSql}), 'infinity'
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[], $8::text[],
    $9::uuid[], $10::bigint[], $11::bigint[]) as d(${COLUMNS}, payload, traceparent, replay_id, person, place)`;

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
  const marks = marksOf(deliveries);
  const marked = marks.some((column) => column.some((mark) => mark !== undefined));
  tx.send(marked ? insertMarkedDeliveriesSql : insertDeliveriesSql, [
    graceMs,
    ...columnsOf(deliveries),
    ...(marked ? marks : []),
  ]);
}

/** The same for destinations with an order, where they wait behind what is before them. */
export function insertOrderedDeliveries(deliveries: readonly OrderedDelivery[], tx: OpenTransaction): void {
  if (deliveries.length === 0) return;
  tx.send(insertOrderedDeliveriesSql, [
    ...columnsOf(deliveries),
    ...marksOf(deliveries),
    deliveries.map(({ person }) => person),
    deliveries.map(({ position }) => position),
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

/** What few deliveries have: the trace that they are of, and the replay that makes them. */
function marksOf(deliveries: readonly NewDelivery[]): (string | undefined)[][] {
  return [deliveries.map(({ event }) => traceparentOf(event)), deliveries.map(({ replayId }) => replayId)];
}
