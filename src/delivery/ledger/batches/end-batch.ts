import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import type { ClaimedBatch } from './claim-batch';
import { isStillPending } from '../found-by-id';

const keepInBatchSql = prepared('keep_in_batch')`
  with kept as (
    update delivery set due_at = 'infinity'
    where id = any((select delivery_ids from delivery_batch where id = $1)::uuid[]) and id between $2 and $3
      and ${isStillPending()} and batch_id = $1
    returning 1
  ) select count(*)::int as count from kept`;
const endBatchSql = prepared('end_batch')`
  update delivery_batch set state = $2, leased_by = null, due_at = now() + $3 * interval '1 millisecond', updated_at = now()
  where id = $1`;

/** What a try of a batch came to. */
interface BatchEnd {
  /** Whether it is over with at least one delivery made. */
  readonly isSent: boolean;
  /** When it is tried again, should any of its deliveries still be pending. */
  readonly waitMs: number;
}

/**
 * Ends the try of a batch: with deliveries that are still pending it is closed as before, else it is over.
 * @transition batch: any --> closed
 * @transition batch: any --> sent
 * @transition batch: any --> dead
 * @transition pending --> pending
 */
export async function endBatch(
  { id, firstId, lastId }: ClaimedBatch,
  { isSent, waitMs }: BatchEnd,
  tx: Tx,
): Promise<void> {
  const [kept] = await tx.query<{ count: number }>(keepInBatchSql, [id, firstId, lastId]);
  const state = (kept?.count ?? 0) > 0 ? 'closed' : isSent ? 'sent' : 'dead';
  await tx.query(endBatchSql, [id, state, waitMs]);
}
