import type { Tx } from '../../../platform/database/database';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { isStillPending } from '../found-by-id';

const releaseDeliveriesSql = prunedStatement(
  'release_deliveries',
  (fromId) => `
  update delivery set leased_until = null, due_at = least(due_at, now())
  where id = any($1::uuid[]) and ${isBetween('id', '$2', '$3')} and id >= ${fromId} and ${isStillPending()}
    and (leased_until is null or leased_by is null or leased_by = $4::int)`,
);

/**
 * Gives claimed deliveries back: they are due. A delivery that another worker has leased since then stays there.
 * @transition pending --> pending
 */
export async function releaseDeliveries(
  ids: readonly string[],
  workerId: number | undefined,
  tx: Tx,
): Promise<void> {
  if (ids.length === 0) return;
  const range = rangeOfIds(ids);
  await tx.query(releaseDeliveriesSql(beginOf(range[0])), [ids, ...range, workerId]);
}
