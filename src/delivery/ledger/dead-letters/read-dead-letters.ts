import { readDestinationNames } from '../../../destinations/read-destination-names';
import { lowestId } from '../../../events/partitions/partition-plan';
import { type EventReference, readEventNames } from '../../../events/reading/read-event-names';
import { LONG_STATEMENT_MS, type Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { deadReasonOf, lastErrorOf } from '../delivery.entity';
import { readLastAnswers } from './read-last-answers';
import { isStill } from '../found-by-id';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';

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

interface DeadRow
  extends Omit<DeadLetter, 'destinationName' | 'eventName' | 'reason' | 'status'>, EventReference {
  /** Of a notice, which is not stored as an event: it is in its text. */
  readonly noticeName: string | null;
}

const readLettersSql = prepared('read_dead_letters')`
  select id as "deliveryId", destination_id as "destinationId", event_type as "eventType", attempts,
    error_class as "errorClass", updated_at as "givenUpAt", subject, event_timestamp as timestamp, event_id as id,
    payload ->> 'event' as "noticeName"
  from delivery where id = any($1::uuid[]) and id between $2 and $3 and ${isStill('dead')}`;
const findRecentSql = prepared('find_recent_dead_letters')`
  select id as "deliveryId", attempts from delivery
  where state = 'dead' and id > $1 and updated_at > now() - interval '1 hour'
  order by id desc limit $2`;
const findDeadSql = prepared('find_dead_among')`
  select id as "deliveryId", attempts from delivery
  where id = any($1::uuid[]) and id between $2 and $3 and ${isStill('dead')}`;
const countRangeSql = prepared('count_dead_letters_in_range', { limitMs: LONG_STATEMENT_MS })`
  select count(*)::int as count from (
    select from delivery
    where state = 'dead' and destination_id = $1 and id >= $2 and id < $3 and ($4::text is null or error_class = $4)
    limit $5) counted`;
const countSql = prepared('count_dead_letters')`
  select destination_id as "destinationId", count(*)::int as count
  from (select destination_id from delivery where state = 'dead' order by id desc limit $1) newest
  group by destination_id order by 2 desc limit $2`;

/** What a dead letter in the queue belongs to. One that dies again after a replay has more attempts. */
export type DeadKey = Pick<DeadLetter, 'deliveryId' | 'attempts'>;

/** Which dead letters of a destination. */
export interface DeadRange {
  readonly destinationId: string;
  /** Exclusive, both. */
  readonly fromId: string;
  readonly toId: string;
  /** Error class; null is any. */
  readonly reason: string | null;
  readonly limit: number;
}

interface DeadCount extends Pick<DeadLetter, 'destinationId' | 'destinationName'> {
  readonly count: number;
}

/** Those of the deliveries that are dead (still). */
export async function readDeadLetters(ids: readonly string[], tx: Tx): Promise<DeadLetter[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<DeadRow>(readLettersSql, [ids, ...rangeOfIds(ids)]);
  const eventNames = await readEventNames(rows, tx);
  const named = await withDestinationNames(rows, tx);
  const tried = rows.map(
    ({ deliveryId, givenUpAt }) => ({ id: deliveryId, state: 'dead', updatedAt: givenUpAt }) as const,
  );
  const answers = await readLastAnswers(tried, tx);
  return named.map((row, index) => ({
    deliveryId: row.deliveryId,
    destinationId: row.destinationId,
    destinationName: row.destinationName,
    eventType: row.eventType,
    eventName: eventNames.get(row.id) ?? row.noticeName,
    attempts: row.attempts,
    errorClass: lastErrorOf(row),
    reason: deadReasonOf(row),
    status: answers[index]?.status ?? null,
    givenUpAt: row.givenUpAt,
  }));
}

/**
 * The newest `limit` deliveries made after `sinceMs` that were given up within the last hour, for the queue. What
 * operators are told of is counted in `dead-letters/newly-dead.ts`.
 */
export function findRecentlyDead(sinceMs: number, limit: number, tx: Tx): Promise<DeadKey[]> {
  return tx.query<DeadKey>(findRecentSql, [lowestId(sinceMs), limit]);
}

/** Those of the deliveries that are dead. */
export async function findDeadAmong(ids: readonly string[], tx: Tx): Promise<DeadKey[]> {
  if (ids.length === 0) return [];
  return tx.query<DeadKey>(findDeadSql, [ids, ...rangeOfIds(ids)]);
}

/** The newest `counted` dead letters by destination: the `limit` destinations that have most of them. */
export async function countDeadLetters(counted: number, limit: number, tx: Tx): Promise<DeadCount[]> {
  const counts = await tx.query<Omit<DeadCount, 'destinationName'>>(countSql, [counted, limit]);
  return withDestinationNames(counts, tx);
}

/** How many dead letters of a destination there are; `most` is where counting ends. */
export async function countDeadLettersIn(
  { destinationId, fromId, toId, reason }: Omit<DeadRange, 'limit'>,
  most: number,
  tx: Tx,
): Promise<number> {
  const params = [destinationId, fromId, toId, reason, most];
  const [counted] = await tx.query<{ count: number }>(countRangeSql, params);
  return counted?.count ?? 0;
}

async function withDestinationNames<Row extends { readonly destinationId: string }>(
  rows: readonly Row[],
  tx: Tx,
): Promise<(Row & Pick<DeadLetter, 'destinationName'>)[]> {
  const ids = rows.map(({ destinationId }) => destinationId);
  const names = await readDestinationNames(ids, tx);
  return rows.map((row) => ({ ...row, destinationName: names.get(row.destinationId) ?? null }));
}
