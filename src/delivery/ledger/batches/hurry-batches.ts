import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { prunedStatement } from '../pruned-statement';
import { BATCH_LEASE_MS } from './claim-batch';
import { isStill, isStillPending } from '../found-by-id';

// Those that a worker holds are left out, also one that was claimed after this `now()`. They are due again when their
// lease ends.
const UNSENT = `leased_by is null and due_at > now() + ${BATCH_LEASE_MS} * interval '1 millisecond'`;
const WAITING = `state = 'closed' and ${UNSENT}`;
const STILL_WAITING = `${isStill('closed')} and ${UNSENT}`;
// A single event that was tried may have been refused, which says nothing of the outage.
const hurryBatchesSql = prepared('hurry_batches')`
  update delivery_batch set due_at = now()
  where destination_id = $1 and ${WAITING} and (cardinality(delivery_ids) > 1 or tries = 0)`;
// The ids repeat what batch_id says: they are what deliveries are found by.
const hurryAllBatchesSql = prunedStatement(
  'hurry_all_batches',
  (fromId) => `
  with waiting as (
    select id as batch_id, (
      select count(*) from delivery d
      where d.id = any(b.delivery_ids) and d.id between b.delivery_ids[1] and b.delivery_ids[cardinality(b.delivery_ids)]
        and d.id >= ${fromId} and ${isStillPending('d.state')} and d.batch_id = b.id
        and ($2::text is null or d.error_class = $2)) as deliveries
    from delivery_batch b where destination_id = $1 and ${WAITING}
  ), hurried as (
    update delivery_batch set due_at = now() from waiting
    where id = waiting.batch_id and ${STILL_WAITING} and waiting.deliveries > 0
    returning waiting.deliveries
  )
  select coalesce(sum(deliveries), 0)::int as deliveries from hurried`,
);
const hurryBatchOfDeliverySql = prepared('hurry_batch_of_delivery')`
  update delivery_batch set due_at = now()
  where id = (select batch_id from delivery where id = $1) and ${STILL_WAITING}`;

/**
 * The destination is back: its batches that wait for longer than a lease are due, but for events that were tried alone.
 * @transition batch: closed --> closed
 */
export async function hurryBatches(destinationId: string, tx: Tx): Promise<void> {
  await tx.query(hurryBatchesSql, [destinationId]);
}

/** Which of the batches of a destination that wait are meant. */
export interface WaitingBatches {
  readonly destinationId: string;
  /** Why the last try of a delivery failed; null is any reason. */
  readonly reason: string | null;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

/**
 * All batches that wait for longer than a lease, and have a delivery that is meant, are due. There are few of a
 * destination, see `BatchCloser`. Returns how many such deliveries they have.
 */
export async function hurryAllBatches(
  { destinationId, reason, pendingFrom }: WaitingBatches,
  tx: Tx,
): Promise<number> {
  const params = [destinationId, reason];
  const [hurried] = await tx.query<{ deliveries: number }>(hurryAllBatchesSql(pendingFrom), params);
  return hurried?.deliveries ?? 0;
}

/** The batch of a delivery, if it waits in one for longer than a lease, is due. */
export async function hurryBatchOf(deliveryId: string, tx: Tx): Promise<void> {
  await tx.query(hurryBatchOfDeliverySql, [deliveryId]);
}
