import type { Tx } from '../../../platform/database/database';
import { prunedStatement } from '../pruned-statement';
import { isOneOf } from '../found-by-id';

const leaveOrderSql = prunedStatement(
  'leave_order',
  (fromId) => `
  with waiting as (
    select id from delivery
    where destination_id = $1 and person is not null and state = 'pending' and passed_at is null and id >= ${fromId}
    order by person, place, id limit $2 for update skip locked
  )
  update delivery d set person = null, place = null, due_at = case when d.due_at = 'infinity' then now() else d.due_at end
  where ${isOneOf('waiting')} and d.id >= ${fromId}
  returning 1`,
);

/**
 * Takes up to `limit` deliveries of a destination out of its order, which it has no more. Returns how many.
 * @param pendingFrom no delivery with a lower id is pending
 * @transition pending --> pending
 */
export async function leaveOrder(
  destinationId: string,
  limit: number,
  pendingFrom: string,
  tx: Tx,
): Promise<number> {
  return (await tx.query(leaveOrderSql(pendingFrom), [destinationId, limit])).length;
}
