import type { ClientBase } from 'pg';
import { lockKeySql } from '../../platform/database/transactions/advisory-lock';

const keySql = lockKeySql("'partitions'");

/** How long to wait for another process that is at the partitions, which itself may have to wait for each of them. */
const PARTITIONS_LOCK_TIMEOUT_MS = 30_000;

/**
 * How long a change may wait for a lock on a table. Statements queue up behind a waiting change, so it gives up soon
 * and is tried again at the next run.
 */
const LOCK_TIMEOUT_MS = 2_000;

/** What is looked up while the table is locked must not take long either. */
export const STATEMENT_TIMEOUT_MS = 5_000;

/** Runs `work` while no other process changes partitions. @throws a lock timeout when one is at it for too long. */
export async function withPartitionsLock<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`set lock_timeout = ${PARTITIONS_LOCK_TIMEOUT_MS}`);
  await client.query(`select pg_advisory_lock(${keySql})`);
  try {
    return await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${keySql})`);
  }
}

/** Runs `work` in a transaction. @throws a lock timeout when it has to wait for long. */
export async function changeTable<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** The names of the partitions that `table` has. */
export async function partitionsOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  );
  return rows.map(({ name }) => name);
}
