import type { ClientBase } from 'pg';
import { type PartitionedTable, partitionsExpired, partitionsNeeded } from './partition-plan';

/** Any constant will do, as long as every process uses the same one. */
const PARTITION_LOCK_KEY = 4_271_965_002;

/**
 * How long a change may wait for a lock on the parent table. Statements queue up behind a waiting change, so
 * it gives up soon and is tried again at the next run.
 */
const LOCK_TIMEOUT_MS = 2_000;

/** What one run changed, by partition name. */
export interface PartitionChanges {
  readonly created: string[];
  readonly dropped: string[];
}

/**
 * Makes the partitions that `tables` will need soon and drops those past retention, as of `nowMs`.
 * Processes that do this at once take turns; each change is a transaction of its own.
 */
export async function maintainPartitions(
  client: ClientBase,
  tables: readonly PartitionedTable[],
  nowMs: number,
): Promise<PartitionChanges> {
  const changes: PartitionChanges = { created: [], dropped: [] };
  await client.query('select pg_advisory_lock($1)', [PARTITION_LOCK_KEY]);
  try {
    for (const table of tables) await maintainTable(client, table, nowMs, changes);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [PARTITION_LOCK_KEY]);
  }
  return changes;
}

async function maintainTable(
  client: ClientBase,
  table: PartitionedTable,
  nowMs: number,
  changes: PartitionChanges,
): Promise<void> {
  const existing = await partitionsOf(client, table.table);
  for (const { name, values } of partitionsNeeded(table, nowMs)) {
    if (existing.includes(name)) continue;
    // Made apart and attached: that locks the parent against nothing that reads or writes it.
    await inTransaction(client, [
      `create table ${name} (like ${table.table} including all)`,
      `alter table ${table.table} attach partition ${name} for values ${values}`,
    ]);
    changes.created.push(name);
  }
  for (const name of partitionsExpired(table, existing, nowMs)) {
    await inTransaction(client, [`drop table ${name}`]);
    changes.dropped.push(name);
  }
}

async function partitionsOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  );
  return rows.map(({ name }) => name);
}

async function inTransaction(client: ClientBase, statements: readonly string[]): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
