import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { isStill } from '../found-by-id';

// By its age, or those that were closed after it would be before it from now on.
const giveBackBatchSql = prepared('give_back_batch')`
  update delivery_batch set due_at = least(created_at, now())
  where id = $1 and ${isStill('closed')} and leased_by = $2`;

/**
 * Makes a batch due at once, for any worker, before those that are younger.
 * @transition batch: closed --> closed
 */
export async function giveBackBatch(batchId: string, workerId: number | undefined, tx: Tx): Promise<void> {
  await tx.query(giveBackBatchSql, [batchId, workerId]);
}
