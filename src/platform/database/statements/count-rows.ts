import type { Tx } from '../database';

/** Runs a statement that writes and has no `returning`; returns how many rows it wrote. */
export async function countRows(sql: string, params: readonly unknown[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with changed as (${sql} returning 1) select count(*)::int as count from changed`,
    params,
  );
  return row?.count ?? 0;
}
