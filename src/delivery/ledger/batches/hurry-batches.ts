import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { BATCH_LEASE_MS } from './claim-batch';

// Those that a worker holds are left out. They are due again when their lease ends.
const WAITING = `state = 'closed' and due_at > now() + ${BATCH_LEASE_MS} * interval '1 millisecond'`;
// A single event that was tried may have been refused, which says nothing of the outage.
const hurryBatchesSql = prepared('hurry_batches')`
  update delivery_batch set due_at = now()
  where destination_id = $1 and ${WAITING} and (cardinality(delivery_ids) > 1 or tries = 0)`;
const hurryBatchOfDeliverySql = prepared('hurry_batch_of_delivery')`
  update delivery_batch set due_at = now()
  where id = (select batch_id from delivery where id = $1) and ${WAITING}`;

/**
 * The destination is back: its batches that wait for longer than a lease are due, but for events that were tried alone.
 * @transition batch: closed --> closed
 */
export async function hurryBatches(destinationId: string, tx: Tx): Promise<void> {
  await tx.query(hurryBatchesSql, [destinationId]);
}

/** The batch of a delivery, if it waits in one for longer than a lease, is due. */
export async function hurryBatchOf(deliveryId: string, tx: Tx): Promise<void> {
  await tx.query(hurryBatchOfDeliverySql, [deliveryId]);
}
