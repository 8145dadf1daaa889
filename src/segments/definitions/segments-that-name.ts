import type { Tx } from '../../platform/database/database';

/** The definition that is computed and, where that is another, the one that is read. */
const readNamesSql = `
  select name from segment
  where position($1 in rules::text || coalesce(live_rules::text, '')) > 0
  order by name limit 20`;

/** The names of segments whose rules ask about a computed trait: up to 20. With the lock of all definitions held. */
export async function segmentsThatName(trait: string, tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(readNamesSql, [`"field": "computed.${trait}"`]);
  return rows.map(({ name }) => name);
}
