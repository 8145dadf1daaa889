import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { withPendingDestinations } from '../pending-destinations';
import { prunedStatement } from '../pruned-statement';

// What is in a batch is never due by itself (infinity). Each destination is one look into the index of due times.
const recallDeliveriesSql = prunedStatement(
  'recall_misdated_deliveries',
  (fromId) => `${withPendingDestinations(fromId)}
  update delivery d set due_at = now()
  from pending_of p
  where d.destination_id = p.destination_id and d.state = 'pending' and d.id >= ${fromId}
    and d.due_at > now() + $1 * interval '1 millisecond' and d.due_at < 'infinity'`,
);
const recallBatchesSql = prepared('recall_misdated_batches')`
  update delivery_batch set due_at = now()
  where state = 'closed' and due_at > now() + $1 * interval '1 millisecond'`;

/**
 * Makes due what is due later than any pause could be: it was written while PostgreSQL's clock was ahead.
 * @transition pending --> pending
 * @transition batch: closed --> closed
 * @param pendingFrom no delivery with a lower id is pending
 * @param longestPauseMs the longest time between a write and the time it makes something due at
 */
export async function recallMisdated(longestPauseMs: number, pendingFrom: string, tx: Tx): Promise<void> {
  await tx.query(recallDeliveriesSql(pendingFrom), [longestPauseMs]);
  await tx.query(recallBatchesSql, [longestPauseMs]);
}
