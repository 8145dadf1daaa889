import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

const extendBatchSql = prepared('extend_batch')`
  update delivery_batch set due_at = now() + $2 * interval '1 millisecond'
  where id = $1 and state = 'closed' and (leased_by is null or leased_by = $3::int)`;

/**
 * Makes a batch due in `ms`: keeps it in hand, or gives it back.
 * @transition batch: closed --> closed
 */
export async function extendBatch(
  batchId: string,
  ms: number,
  { workerId, tx }: { readonly workerId: number | undefined; readonly tx: Tx },
): Promise<void> {
  await tx.query(extendBatchSql, [batchId, ms, workerId]);
}
