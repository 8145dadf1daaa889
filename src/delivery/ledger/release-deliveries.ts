import type { Tx } from '../../platform/database/database';
import { rangeOf } from './range-of';

const releaseDeliveriesSql = {
  name: 'release_deliveries',
  text: `
  update delivery set leased_until = null, due_at = least(due_at, now())
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending'
    and (leased_until is null or leased_by is null or leased_by = $4::int)`,
};

/**
 * Gives claimed deliveries back: they are due. A delivery that another worker has leased since then stays there.
 * @transition pending --> pending
 */
export async function releaseDeliveries(
  ids: readonly string[],
  workerId: number | undefined,
  tx: Tx,
): Promise<void> {
  if (ids.length > 0) await tx.query(releaseDeliveriesSql, [ids, ...rangeOf(ids), workerId]);
}
