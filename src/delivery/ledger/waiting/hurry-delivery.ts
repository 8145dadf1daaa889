import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

// A delivery whose next try is due within the grace of its job may be on its way right now, lease or not. One that is
// never due by itself waits in a batch.
const hurryDeliverySql = prepared('hurry_delivery')`
  update delivery set due_at = now()
  where id = $1 and state = 'pending' and attempts > 0 and (leased_until is null or leased_until < now())
    and due_at > now() + $2 * interval '1 millisecond' and due_at < 'infinity'`;

/**
 * Makes a delivery due that waits for its next try.
 * @transition pending --> pending
 */
export async function hurryDelivery(deliveryId: string, graceMs: number, tx: Tx): Promise<void> {
  await tx.query(hurryDeliverySql, [deliveryId, graceMs]);
}
