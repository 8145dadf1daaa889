import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

const readLastEventsSql = prepared('read_last_events')`
  select source_id as "sourceId", heard_at as "lastEventAt" from source_heard where source_id = any($1::uuid[])`;

/** When each of the sources sent something last, within some seconds; those that never did are not there. */
export async function readLastEvents(sourceIds: readonly string[], tx: Tx): Promise<Map<string, Date>> {
  if (sourceIds.length === 0) return new Map();
  const rows = await tx.query<{ sourceId: string; lastEventAt: Date }>(readLastEventsSql, [sourceIds]);
  return new Map(rows.map(({ sourceId, lastEventAt }) => [sourceId, lastEventAt]));
}
