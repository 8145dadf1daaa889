import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

const lockBatchesSql = prepared('lock_batches')`
  select id from delivery_batch where id = any($1::uuid[]) order by id for update`;

/**
 * Holds batches until the transaction ends. Before any of their deliveries: who ends a try and who brings back replayed
 * deliveries each see what the other has left.
 * @returns those that are there
 */
export async function lockBatches(batchIds: readonly string[], tx: Tx): Promise<string[]> {
  return (await tx.query<{ id: string }>(lockBatchesSql, [batchIds])).map(({ id }) => id);
}
