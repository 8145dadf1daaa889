import { V7Generator } from 'uuidv7';

/** More than this between the clocks of a process and of PostgreSQL, and one of them is wrong. */
const MAX_DIFFERENCE_MS = 5 * 60_000;

/** One connection or a pool of `pg`. */
interface Queryable {
  query(sql: string): Promise<{ rows: { now_ms: number }[] }>;
}

/** What comparing the clocks has shown. */
export interface ClockComparison {
  /** PostgreSQL's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** How far PostgreSQL's clock is ahead of this process's; negative when it is behind. */
  readonly aheadMs: number;
  /** Whether the clocks differ by so much that one of them must be wrong. It is not known which. */
  readonly differ: boolean;
}

const ids = new V7Generator();
/** By all comparisons. */
let aheadMs = 0;

/**
 * Compares the clocks; until the next comparison {@link databaseNowMs} goes by the result. PostgreSQL was asked at some
 * time between question and answer, which are seconds apart when a process has no time for the answer. What was known
 * stays as far as it can be true: clocks that are the same never seem to differ.
 */
export async function compareClocks(client: Queryable): Promise<ClockComparison> {
  const askedAtMs = Date.now();
  const { rows } = await client.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  );
  const answeredAtMs = Date.now();
  const nowMs = rows[0]?.now_ms ?? askedAtMs;
  // `Date.now()` leaves out what is behind the millisecond.
  const [least, most] = [Math.floor(nowMs) - answeredAtMs, Math.floor(nowMs) - askedAtMs];
  aheadMs = Math.min(Math.max(aheadMs, least), most);
  return { nowMs, aheadMs, differ: Math.abs(aheadMs) > MAX_DIFFERENCE_MS };
}

/** PostgreSQL's time as far as this process knows it, in whole milliseconds since 1970. */
export function databaseNowMs(): number {
  return Date.now() + aheadMs;
}

/**
 * A UUIDv7 by PostgreSQL's clock, for rows that lie in partitions by their id: one by the clock of a process that is
 * wrong would have no partition to go to, or one that is dropped too early.
 * @param fromMs for what is never older, whoever's clock is behind
 */
export function newRowId(fromMs = 0): string {
  return ids.generateOrResetWithTs(Math.max(databaseNowMs(), fromMs)).toString();
}
