import type { Pool, QueryResultRow } from 'pg';
import type { PreparedStatement } from './database';

/** How long a statement may take where that is not as long as usual. */
export function limitOf(statement: string | PreparedStatement): number | undefined {
  return typeof statement === 'string' ? undefined : statement.limitMs;
}

/** Sends one statement; as plain text when the way to PostgreSQL cannot keep prepared ones. */
export async function runStatement<Row extends QueryResultRow>(
  pool: Pool,
  statement: string | PreparedStatement,
  params: readonly unknown[],
  prepare: boolean,
): Promise<Row[]> {
  const result = await pool.query<Row>(queryOf(statement, params, prepare));
  return result.rows;
}

/** What `pg` is given. */
export function queryOf(
  statement: string | PreparedStatement,
  params: readonly unknown[],
  prepare: boolean,
): { name: string | undefined; text: string; values: unknown[] } {
  const text = typeof statement === 'string' ? statement : statement.text;
  const name = prepare && typeof statement !== 'string' ? statement.name : undefined;
  return { name, text, values: [...params] };
}
