import type { Tx } from '../platform/database/database';

const existingSourcesSql = 'select id from source where id = any($1::uuid[])';

/** Which of the sources there are. */
export async function existingSources(ids: readonly string[], tx: Tx): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(existingSourcesSql, [ids]);
  return new Set(rows.map(({ id }) => id));
}
