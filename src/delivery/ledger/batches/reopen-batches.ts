import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { lockBatches } from './lock-batches';
import { isStillPending } from '../found-by-id';

// A replay of deliveries of a batch that has ended: the whole batch is sent again, so that it overwrites itself.
const reopenBatchesSql = prepared('reopen_batches')`
  update delivery_batch set state = 'closed', due_at = now(), updated_at = now()
  where id = any($1::uuid[]) and state <> 'closed'`;
const returnToBatchSql = prepared('return_to_batch')`
  update delivery set due_at = 'infinity', person = null, place = null
  where id = any($1::uuid[]) and id between $2 and $3 and ${isStillPending()}`;

/**
 * Leaves replayed deliveries to the batches that they were in, which are due. By batch; those of one that has just been
 * dissolved stay as they are.
 * @transition batch: sent --> closed
 * @transition batch: dead --> closed
 * @transition pending --> pending
 */
export async function reopenBatches(
  deliveryIds: ReadonlyMap<string, readonly string[]>,
  tx: Tx,
): Promise<void> {
  if (deliveryIds.size === 0) return;
  const batchIds = await lockBatches([...deliveryIds.keys()], tx);
  await tx.query(reopenBatchesSql, [batchIds]);
  for (const batchId of batchIds) {
    const ids = deliveryIds.get(batchId) ?? [];
    await tx.query(returnToBatchSql, [ids, ...rangeOfIds(ids)]);
  }
}
