import { Database } from '../platform/database/database';

/** Below all ids. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** By how much the clocks of processes and of PostgreSQL may differ. */
const CLOCK_MARGIN_MS = 60_000;

const oldestTransactionSql = `
  select (extract(epoch from least(now(), min(xact_start))) * 1000)::float8 as ms
  from pg_stat_activity where datname = current_database()`;

/** The lowest id of a delivery that a transaction which is running now may have written, or one that comes later. */
export async function lowestUncommittedId(database: Database): Promise<string> {
  const [oldest] = await database.query<{ ms: number }>(oldestTransactionSql);
  return lowestIdAt(Math.floor(oldest?.ms ?? 0) - CLOCK_MARGIN_MS);
}

/** The lowest UUIDv7 of a millisecond. */
function lowestIdAt(ms: number): string {
  const hex = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
