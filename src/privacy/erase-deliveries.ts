import type { Subject } from '../events/customer-event';
import { Database, LONG_STATEMENT_MS, type Tx } from '../platform/database/database';

/** Below all ids. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** By how much the clocks of processes and of PostgreSQL may differ. */
const CLOCK_MARGIN_MS = 60_000;

const oldestTransactionSql = `
  select (extract(epoch from least(now(), min(xact_start))) * 1000)::float8 as ms
  from pg_stat_activity where datname = current_database()`;

const eraseDeliveriesSql = {
  name: 'erase_deliveries',
  text: 'delete from delivery where subject = any($1::text[]) and id >= $2::uuid returning id',
  limitMs: LONG_STATEMENT_MS,
};

/**
 * Deletes the deliveries of a person whose ids are `fromId` or higher, then their tries: a worker that was about to
 * record one has done so by then. They are found by a walk through the partitions since `fromId`; an index would cost
 * every delivery something for the sake of the rare deletion.
 */
export async function eraseDeliveries(subjects: readonly Subject[], fromId: string, tx: Tx): Promise<number> {
  const deleted = await tx.query<{ id: string }>(eraseDeliveriesSql, [subjects, fromId]);
  const ids = deleted.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.query('delete from delivery_attempt where delivery_id = any($1::uuid[])', [ids]);
  }
  return deleted.length;
}

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
