import type { Pool, QueryResultRow } from 'pg';
import type { Statement } from '../database';
import { hasSettings, queryOf } from './statement';
import { transact } from '../transactions/transact';

/**
 * Sends one statement; as plain text when the way to PostgreSQL cannot keep prepared ones, and in a transaction when it
 * has settings of its own.
 */
export async function runStatement<Row extends QueryResultRow>(
  pool: Pool,
  statement: string | Statement,
  params: readonly unknown[],
  prepare: boolean,
): Promise<Row[]> {
  if (hasSettings(statement, prepare))
    return transact(pool, prepare, (tx) => tx.query<Row>(statement, params));
  const result = await pool.query<Row>(queryOf(statement, params, prepare));
  return result.rows;
}
