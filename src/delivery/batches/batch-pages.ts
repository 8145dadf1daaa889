import { RetryableDeliveryError } from '../../connectors/delivery-error';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';

const readIds = prepared('read_batch_ids')`
  select delivery_ids[$2:$3] as ids from delivery_batch where id = $1`;

/**
 * The ids of a batch's deliveries in their order, `size` at a time, so that however large the batch is, few are in
 * memory. `start` is the position of the first one.
 *
 * @throws RetryableDeliveryError when the batch is gone: its destination was deleted.
 */
export async function* pagesOf(
  { id, eventCount }: Pick<ClaimedBatch, 'id' | 'eventCount'>,
  size: number,
  tx: Tx,
): AsyncIterable<{ readonly start: number; readonly ids: readonly string[] }> {
  for (let start = 0; start < eventCount; start += size) {
    const [row] = await tx.query<{ ids: string[] }>(readIds, [id, start + 1, start + size]);
    if (row === undefined) throw new RetryableDeliveryError('batch_gone');
    yield { start, ids: row.ids };
  }
}
