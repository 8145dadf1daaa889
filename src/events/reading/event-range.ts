import { LONG_STATEMENT_MS, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { EventKey, Subject } from '../customer-event';

/** Ids of events, and so times of their reception: from inclusive, to exclusive. */
export interface EventRange {
  readonly fromId: string;
  readonly toId: string;
  /** Whose; everybody's when it is undefined. */
  readonly subject?: Subject | undefined;
}

const countEventsSql = prepared('count_events', { limitMs: LONG_STATEMENT_MS })`
    select count(*)::int as count from (select from event where id >= $1 and id < $2 limit $3) as counted`;

const countEventsOfPersonSql = prepared('count_events_of_person', { limitMs: LONG_STATEMENT_MS })`
    select count(*)::int as count from (
      select from event where id >= $1 and id < $2 and subject = $4 limit $3) as counted`;

const readEventKeysSql = prepared('read_event_keys')`
    select subject, "timestamp", id from event
    where id >= $1 and id < $2 and (subject, "timestamp", id) > ($3, $4::timestamptz, $5::uuid)
    order by subject, "timestamp", id limit $6`;

const readEventKeysOfPersonSql = prepared('read_event_keys_of_person')`
    select subject, "timestamp", id from event
    where id >= $1 and id < $2 and subject = $3 and ("timestamp", id) > ($4::timestamptz, $5::uuid)
    order by "timestamp", id limit $6`;

/** How many events there are in a range; `most` is where counting ends. */
export async function countEventsInRange(
  { fromId, toId, subject }: EventRange,
  most: number,
  tx: Tx,
): Promise<number> {
  const [statement, whose] =
    subject === undefined ? [countEventsSql, []] : [countEventsOfPersonSql, [subject]];
  const [counted] = await tx.query<{ count: number }>(statement, [fromId, toId, most, ...whose]);
  return counted?.count ?? 0;
}

/** The next keys of a range behind `after` (undefined: from the first one), person by person. */
export async function readEventKeys(
  { fromId, toId, subject: whose }: EventRange,
  after: EventKey | undefined,
  limit: number,
  tx: Tx,
): Promise<EventKey[]> {
  const { timestamp, id } = after ?? { timestamp: '-infinity', id: fromId };
  const subject = whose ?? after?.subject ?? '';
  const rows = await tx.query<{ subject: Subject; timestamp: Date; id: string }>(
    whose === undefined ? readEventKeysSql : readEventKeysOfPersonSql,
    [fromId, toId, subject, timestamp, id, limit],
  );
  return rows.map((key) => ({ ...key, timestamp: key.timestamp.toISOString() }));
}
