import type { ErrorClass } from '../../../connectors/error-classes';
import { lowestId } from '../../../events/partitions/partition-plan';
import type { Tx } from '../../../platform/database/database';
import type { DeadDelivery } from './dead-delivery';
import { prunedStatement } from '../pruned-statement';
import { isOneOf } from '../found-by-id';

/** Why one was given up that was never tried. */
const EXPIRED: ErrorClass = 'expired';

// One that is replayed (it has a limit of its own) is as old as its replay, or no replay could come after an outage.
const expireDeliveriesSql = prunedStatement(
  'expire_deliveries',
  (fromId) => `
  with old as (
    select id from delivery
    where state = 'pending' and id >= ${fromId} and id < $2 and (leased_until is null or leased_until < now())
      and (attempt_limit is null or updated_at < to_timestamp($3::float8 / 1000))
    limit $1 for update skip locked
  )
  update delivery d set state = 'dead', error_class = coalesce(error_class, '${EXPIRED}'), leased_until = null,
    updated_at = now()
  where ${isOneOf('old')} and d.id >= ${fromId} and d.id < $2
  returning d.id as "deliveryId", d.destination_id as "destinationId", d.attempts as attempt, d.error_class as reason`,
);

/**
 * Gives up at most `limit` deliveries that were made, or replayed, before `beforeMs` (since 1970).
 * @param pendingFrom no delivery with a lower id is pending
 * @transition pending --> dead
 */
export function expireDeliveries(
  limit: number,
  { pendingFrom, beforeMs }: { readonly pendingFrom: string; readonly beforeMs: number },
  tx: Tx,
): Promise<DeadDelivery[]> {
  return tx.query<DeadDelivery>(expireDeliveriesSql(pendingFrom), [limit, lowestId(beforeMs), beforeMs]);
}
