import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

const readNamesSql = prepared('read_destination_names')`
  select id, name from destination where id = any($1::uuid[])`;

/** The names of destinations by id; those that were deleted are left out. */
export async function readDestinationNames(ids: readonly string[], tx: Tx): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string }>(readNamesSql, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
