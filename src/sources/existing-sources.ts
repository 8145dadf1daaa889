import type { Tx } from '../platform/database/database';

const existingSourcesSql = 'select id from source where id = any($1::uuid[])';
/** In an order, so that two who lock the same do not wait for each other. */
const shareLockSourcesSql = `${existingSourcesSql} order by id for key share`;

/** Which of the sources there are. */
export function existingSources(ids: readonly string[], tx: Tx): Promise<Set<string>> {
  return idsFound(existingSourcesSql, ids, tx);
}

/** The same, and these cannot be deleted until the transaction ends. */
export function shareLockSources(ids: readonly string[], tx: Tx): Promise<Set<string>> {
  return idsFound(shareLockSourcesSql, ids, tx);
}

async function idsFound(sql: string, ids: readonly string[], tx: Tx): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(sql, [ids]);
  return new Set(rows.map(({ id }) => id));
}
