import type { ErrorClass } from '../../../connectors/error-classes';
import type { DeliveryOrder } from '../../../destinations/destination.entity';
import type { Tx } from '../../../platform/database/database';
import { inOrderSql } from '../claiming/first-of-person';
import type { DeadDelivery } from './dead-delivery';
import { prunedStatement } from '../pruned-statement';
import { isOneOf, isStillPending } from '../found-by-id';

/** Why one was given up that others had waited for. */
const ORDER_LIMIT: ErrorClass = 'order_limit';

// What is under way has a lease. The time in which the destination was down or paused does not count. In the order of
// due times, because the index of those is the one in which what waits for others is left out.
const heldUp = (fromId: string): string => {
  const behind = `
      select from delivery b
      where ${inOrderSql({ destinationId: '$1', person: 'w.person', fromId, alias: 'b' })}
        and (b.place, b.id) > (w.place, w.id)`;
  return `
  with waiting as (
    select id, person, place, held_since from delivery
    where destination_id = $1 and state = 'pending' and id >= ${fromId} and due_at > now() and due_at < 'infinity'
      and attempts > 0 and person is not null and passed_at is null and (leased_until is null or leased_until < now())
    order by due_at
  ), over as (
    select w.id from waiting w left join destination_health h on h.destination_id = $1
    where coalesce(h.breaker, 'closed') = 'closed' and exists (${behind}) and (
      (w.held_since is not null
        and greatest(w.held_since, h.since, h.switched_at) < now() - make_interval(secs => $2))
      or exists (${behind} order by b.place, b.id offset $3 limit 1))
  ), ended as (
    select id from delivery
    where ${isOneOf('over', 'id')} and id >= ${fromId} and ${isStillPending()} and passed_at is null
      and (leased_until is null or leased_until < now())
    for update skip locked
  )`;
};
const RETURNED = `d.person::text as person, d.id as "deliveryId", d.destination_id as "destinationId", d.attempts as attempt,
    d.error_class as reason`;

const passSql = prunedStatement(
  'pass_deliveries',
  (fromId) => `${heldUp(fromId)}
  update delivery d set passed_at = now() where ${isOneOf('ended')} and d.id >= ${fromId} returning ${RETURNED}`,
);
const giveUpSql = prunedStatement(
  'give_up_held_deliveries',
  (fromId) => `${heldUp(fromId)}
  update delivery d set state = 'dead', error_class = '${ORDER_LIMIT}', leased_until = null, updated_at = now()
  where ${isOneOf('ended')} and d.id >= ${fromId} returning ${RETURNED}`,
);

/** A delivery that holds its person up no longer. */
export interface EndedWait extends DeadDelivery {
  readonly person: string;
}

/**
 * Ends the waits of a destination with an order that have become too long, or for which too many wait: what failed is
 * passed, or given up.
 * @param pendingFrom no delivery with a lower id is pending
 * @transition pending --> pending
 * @transition pending --> dead
 */
export function endWaits(
  destinationId: string,
  { maxWaitSeconds, maxWaiting, afterwards }: DeliveryOrder,
  pendingFrom: string,
  tx: Tx,
): Promise<EndedWait[]> {
  const statement = afterwards === 'pass' ? passSql : giveUpSql;
  return tx.query<EndedWait>(statement(pendingFrom), [destinationId, maxWaitSeconds, maxWaiting]);
}
