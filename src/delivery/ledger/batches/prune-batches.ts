import { destinationExists } from '../../../destinations/destination-conditions';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

const pruneBatchesSql = prepared('prune_batches')`
  delete from delivery_batch b
  where (state <> 'closed' and created_at < now() - $1 * interval '1 day')
    or (state = 'closed' and not ${destinationExists('b.destination_id')})`;

/**
 * Forgets batches that are so old, and those of deleted destinations. One that is to be sent stays: its deliveries wait
 * for it.
 * @transition batch: any --> [*]
 */
export async function pruneBatches(days: number, tx: Tx): Promise<void> {
  await tx.query(pruneBatchesSql, [days]);
}
