import type { Tx } from '../platform/database/database';

/** Filters are kept as clients wrote them: ids may have capitals. */
const readAskingSql = `
  select name from destination where position($1 in lower(filter ->> 'segments')) > 0 order by name limit 20`;

const readNamingSql = `select name from destination where sources @> to_jsonb($1::text) order by name limit 20`;

/** The names of destinations that get the events of a source among others: up to 20. */
export async function destinationsOfSource(sourceId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(readNamingSql, [sourceId]);
  return rows.map(({ name }) => name);
}

/** The names of destinations whose filters name a segment: up to 20. */
export async function destinationsThatAsk(segmentId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(readAskingSql, [segmentId]);
  return rows.map(({ name }) => name);
}
