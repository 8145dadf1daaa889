import type { Tx } from '../../platform/database/database';
import { rangeOf } from './range-of';

const deferDeliveriesSql = {
  name: 'defer_deliveries',
  text: `
  update delivery set due_at = now()
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending' and due_at > now()
    and (leased_until is null or leased_until < now())`,
};

/**
 * Leaves deliveries to the backlog: they are due, and no job is about to take them.
 * @transition pending --> pending
 */
export async function deferDeliveries(ids: readonly string[], tx: Tx): Promise<void> {
  if (ids.length > 0) await tx.query(deferDeliveriesSql, [ids, ...rangeOf(ids)]);
}
