import type { ConnectorRegistry } from '../../connectors/registry';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const connectorsSql = prepared('read_connectors_of_workers')`
  select distinct unnest(connectors) as id from delivery_worker`;

/** The ids of the connectors that this process or some worker has: during an upgrade not all of them have the same. */
export async function installedConnectors(
  connectors: ConnectorRegistry,
  tx: Tx,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(connectorsSql);
  return new Set([...connectors.ids(), ...rows.map(({ id }) => id)]);
}
