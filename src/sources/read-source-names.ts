import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

const readNamesSql = prepared('read_source_names')`select id, name from source where id = any($1::uuid[])`;

/** The names of sources by id; those that were deleted are left out. */
export async function readSourceNames(ids: readonly string[], tx: Tx): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string }>(readNamesSql, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
