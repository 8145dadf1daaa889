import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { BATCH_LEASE_MS } from './claim-batch';
import { isStill } from '../found-by-id';

const extendBatchSql = prepared('extend_batch')`
  update delivery_batch set due_at = now() + $2 * interval '1 millisecond'
  where id = $1 and ${isStill('closed')} and leased_by = $3`;

/**
 * Keeps a batch in hand, unless its try has ended meanwhile.
 * @transition batch: closed --> closed
 */
export async function extendBatch(batchId: string, workerId: number | undefined, tx: Tx): Promise<void> {
  await tx.query(extendBatchSql, [batchId, BATCH_LEASE_MS, workerId]);
}
