import { LONG_STATEMENT_MS, type PreparedStatement, type Tx } from '../../platform/database/database';
import type { EventKey, Subject } from '../customer-event';

/** Ids of events, and so times of their reception: from inclusive, to exclusive. */
export interface EventRange {
  readonly fromId: string;
  readonly toId: string;
}

const countEventsSql: PreparedStatement = {
  name: 'count_events',
  limitMs: LONG_STATEMENT_MS,
  text: `
    select count(*)::int as count from (select from event where id >= $1 and id < $2 limit $3) as counted`,
};

const readEventKeysSql: PreparedStatement = {
  name: 'read_event_keys',
  text: `
    select subject, "timestamp", id from event
    where id >= $1 and id < $2 and (subject, "timestamp", id) > ($3, $4::timestamptz, $5::uuid)
    order by subject, "timestamp", id limit $6`,
};

/** How many events there are in a range; `most` is where counting ends. */
export async function countEvents({ fromId, toId }: EventRange, most: number, tx: Tx): Promise<number> {
  const [counted] = await tx.query<{ count: number }>(countEventsSql, [fromId, toId, most]);
  return counted?.count ?? 0;
}

/** The next keys of a range behind `after` (undefined: from the first one), person by person. */
export async function readEventKeys(
  { fromId, toId }: EventRange,
  after: EventKey | undefined,
  limit: number,
  tx: Tx,
): Promise<EventKey[]> {
  const { subject, timestamp, id } = after ?? { subject: '', timestamp: '-infinity', id: fromId };
  const rows = await tx.query<{ subject: Subject; timestamp: Date; id: string }>(readEventKeysSql, [
    fromId,
    toId,
    subject,
    timestamp,
    id,
    limit,
  ]);
  return rows.map((key) => ({ ...key, timestamp: key.timestamp.toISOString() }));
}
