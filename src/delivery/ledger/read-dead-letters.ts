import { lowestId } from '../../events/partitions/partition-plan';
import type { Tx } from '../../platform/database/database';
import { rangeOf } from './range-of';

/** A delivery that was given up, as people see it: nothing of the person. */
export interface DeadLetter {
  readonly deliveryId: string;
  readonly destinationId: string;
  /** Null when the destination was deleted. */
  readonly destinationName: string | null;
  readonly eventType: string;
  /** Null when the event has none, or is not stored any more. */
  readonly eventName: string | null;
  readonly attempts: number;
  /** Of the last try; null when there was none. */
  readonly errorClass: string | null;
  /** Why it was given up: the error class, or `expired` when it was too old before it was tried. */
  readonly reason: string;
  /** HTTP status of the last try; null when there was no answer. */
  readonly status: number | null;
  readonly givenUpAt: Date;
}

/** Why the last try of `delivery d` failed. What was given up untried has a reason, but no error. */
export const ERROR_CLASS = 'case when d.attempts > 0 then d.error_class end';
/** Why `delivery d` was given up; null when it is not dead. */
export const DEAD_REASON = `case when d.state = 'dead' then coalesce(d.error_class, 'failed') end`;
/** A notice is no row of `event`: its text is with the delivery. */
export const EVENT_NAME = `coalesce(e.name, d.payload ->> 'event')`;

// The ids of tries are younger than that of their delivery: older partitions are left out.
const LETTERS = `
  select d.id as "deliveryId", d.destination_id as "destinationId", t.name as "destinationName",
    d.event_type as "eventType", ${EVENT_NAME} as "eventName", d.attempts, ${ERROR_CLASS} as "errorClass", ${DEAD_REASON} as reason, a.status,
    d.updated_at as "givenUpAt"
  from dead d
  left join destination t on t.id = d.destination_id
  left join lateral (
    select event.name from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id limit 1
  ) e on true
  left join lateral (
    select status from delivery_attempt where delivery_id = d.id and id > d.id order by id desc limit 1
  ) a on true`;
const readLettersSql = {
  name: 'read_dead_letters',
  text: `
  with dead as materialized (
    select * from delivery where id = any($1::uuid[]) and id between $2 and $3 and state = 'dead'
  ) ${LETTERS}`,
};
const findRecentSql = {
  name: 'find_recent_dead_letters',
  text: `
  select id as "deliveryId", attempts from delivery
  where state = 'dead' and id > $1 and updated_at > now() - interval '1 hour'
  order by id desc limit $2`,
};
const findDeadSql = {
  name: 'find_dead_among',
  text: `
  select id as "deliveryId", attempts from delivery
  where id = any($1::uuid[]) and id between $2 and $3
    and state = 'dead'`,
};
const countSql = {
  name: 'count_dead_letters',
  text: `
  select c.destination_id as "destinationId", t.name as "destinationName", c.count
  from (
    select destination_id, count(*)::int as count
    from (select destination_id from delivery where state = 'dead' order by id desc limit $1) newest
    group by destination_id order by 2 desc limit $2
  ) c left join destination t on t.id = c.destination_id`,
};

/** What a dead letter in the queue belongs to. One that dies again after a replay has more attempts. */
export type DeadKey = Pick<DeadLetter, 'deliveryId' | 'attempts'>;

export interface DeadCount extends Pick<DeadLetter, 'destinationId' | 'destinationName'> {
  readonly count: number;
}

/** Those of the deliveries that are dead (still). */
export async function readDeadLetters(ids: readonly string[], tx: Tx): Promise<DeadLetter[]> {
  if (ids.length === 0) return [];
  return tx.query<DeadLetter>(readLettersSql, [ids, ...rangeOf(ids)]);
}

/** The newest `limit` deliveries made after `sinceMs` that were given up within the last hour. */
export function findRecentlyDead(sinceMs: number, limit: number, tx: Tx): Promise<DeadKey[]> {
  return tx.query<DeadKey>(findRecentSql, [lowestId(sinceMs), limit]);
}

/** Those of the deliveries that are dead. */
export async function findDeadAmong(ids: readonly string[], tx: Tx): Promise<DeadKey[]> {
  if (ids.length === 0) return [];
  return tx.query<DeadKey>(findDeadSql, [ids, ...rangeOf(ids)]);
}

/** The newest `counted` dead letters by destination: the `limit` destinations that have most of them. */
export function countDeadLetters(counted: number, limit: number, tx: Tx): Promise<DeadCount[]> {
  return tx.query<DeadCount>(countSql, [counted, limit]);
}
