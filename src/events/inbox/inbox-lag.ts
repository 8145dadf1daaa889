import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** Counting stops here: more only says "far too many", and a scrape has to be quick. */
export const MAX_COUNTED_ROWS = 10_000;

const inboxLagSql = prepared('read_inbox_lag')`
  select (select count(*)::int from (select from inbox limit ${MAX_COUNTED_ROWS}) as counted) as rows,
    coalesce((select extract(epoch from clock_timestamp() - created_at)::float8
      from inbox order by id limit 1), 0) as "oldestSeconds"`;

/** What waits in the inbox: rows, and the age of the oldest. */
export interface InboxLag {
  readonly rows: number;
  readonly oldestSeconds: number;
}

/**
 * Whether a row is older than so many seconds. One from later than now is from before the clock was put back, nobody
 * knows how long ago.
 * @param seconds SQL
 */
const isOlderSql = (seconds: number | string): string => `
  (created_at < clock_timestamp() - make_interval(secs => ${seconds})
    or created_at > clock_timestamp() + interval '1 minute')`;

/** Whether the oldest row of the inbox is older than so many seconds, or the one that the highest id has. */
export const hasOldRowsSql = (seconds: number): string => `
  select coalesce((select ${isOlderSql(seconds)} from inbox order by id limit 1), false)
    or coalesce((select ${isOlderSql(seconds)} from inbox order by id desc limit 1), false)`;

/**
 * The lowest number of acceptance of what waits and is not older than so many seconds; null when nothing does.
 * @param seconds SQL
 */
export const lowestAcceptedSql = (seconds: string): string => `
  (select min(coalesce(accepted, 0)) from inbox where created_at > clock_timestamp() - make_interval(secs => ${seconds}))`;

/** The number of acceptance of what comes in now. */
export const nextAcceptedSql = `nextval('accepted_seq')`;

const readNextAcceptedSql = prepared('read_next_accepted')`select ${nextAcceptedSql}::text as accepted`;

/**
 * The oldest inbox rows that are older than $1 seconds by PostgreSQL's clock, at most $2; and their ages in units of
 * $3.
 */
const forgottenRowsSql = prepared('forgotten_inbox_rows')`
    select id, cardinality(event_ids) as events,
      floor(extract(epoch from clock_timestamp() - created_at) / $3::float8)::int as age
    from inbox
    where ${isOlderSql('$1')}
    order by id limit $2`;

/** `age` in the units that were asked for. */
export interface ForgottenRow {
  readonly id: string;
  readonly events: number;
  readonly age: number;
}

/** Inbox rows that have waited for long by PostgreSQL's clock, the oldest first. */
export function findForgottenRows(
  asked: {
    readonly olderThanSeconds: number;
    readonly ageUnitSeconds: number;
    readonly limit: number;
  },
  tx: Tx,
): Promise<ForgottenRow[]> {
  return tx.query<ForgottenRow>(forgottenRowsSql, [
    asked.olderThanSeconds,
    asked.limit,
    asked.ageUnitSeconds,
  ]);
}

/** The number of acceptance of what comes in now, for a statement in which several rows have the same. */
export async function readNextAccepted(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ accepted: string }>(readNextAcceptedSql);
  return row?.accepted ?? '0';
}

/** How much waits in the inbox. */
export async function readInboxLag(tx: Tx): Promise<InboxLag | undefined> {
  const [lag] = await tx.query<InboxLag>(inboxLagSql);
  return lag;
}
