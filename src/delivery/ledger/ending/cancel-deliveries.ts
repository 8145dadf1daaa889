import { destinationExists } from '../../../destinations/destination-conditions';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { withPendingDestinations } from '../pending-destinations';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { prunedStatement } from '../pruned-statement';
import { isOneOf, isStillPending } from '../found-by-id';

const cancelDeliveriesSql = prepared('cancel_deliveries')`
  update delivery set state = 'cancelled', leased_until = null, updated_at = now()
  where id = any($1::uuid[]) and id between $2 and $3 and ${isStillPending()}`;

const cancelOrphansSql = prunedStatement(
  'cancel_orphans',
  (fromId) => `${withPendingDestinations(fromId)}, gone as materialized (
    select destination_id from pending_of p where not ${destinationExists('p.destination_id')}
  ), orphan as (
    select d.id from gone
    cross join lateral (
      select id from delivery where destination_id = gone.destination_id and state = 'pending' and id >= ${fromId}
      order by due_at limit $1 for update skip locked
    ) d
    limit $1
  )
  update delivery d set state = 'cancelled', leased_until = null, updated_at = now()
  where ${isOneOf('orphan')} and d.id >= ${fromId}
  returning 1`,
);

/**
 * Ends deliveries whose destination was deleted.
 * @transition pending --> cancelled
 */
export async function cancelDeliveries(ids: readonly string[], tx: Tx): Promise<void> {
  if (ids.length > 0) await tx.query(cancelDeliveriesSql, [ids, ...rangeOfIds(ids)]);
}

/**
 * Ends up to `limit` deliveries of destinations that were deleted. Returns how many.
 * @param pendingFrom no delivery with a lower id is pending
 */
export async function cancelOrphans(limit: number, pendingFrom: string, tx: Tx): Promise<number> {
  return (await tx.query(cancelOrphansSql(pendingFrom), [limit])).length;
}
