import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const connectorsSql = prepared('read_connectors_of_workers')`
  select distinct unnest(connectors) as id from delivery_worker`;

/** The connectors that some worker has: during an upgrade not all of them have the same. */
export async function readWorkersConnectors(tx: Tx): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(connectorsSql);
  return new Set(rows.map(({ id }) => id));
}
