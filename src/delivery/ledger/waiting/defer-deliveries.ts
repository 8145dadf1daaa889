import type { Tx } from '../../../platform/database/database';
import { hasKnownTries, type KnownTries, triesParam } from '../claiming/known-tries';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { isStillPending } from '../found-by-id';

/** One statement looks through so many ids for each delivery. */
const GROUP = 1_000;

const deferDeliveriesSql = prunedStatement(
  'defer_deliveries',
  (fromId) => `
  update delivery set due_at = now()
  where id = any($1::uuid[]) and ${isBetween('id', '$2', '$3')} and id >= ${fromId} and ${isStillPending()} and due_at > now()
    and due_at < 'infinity'
    and (leased_until is null or leased_until < now())
    and ${hasKnownTries({ ids: '$1', tries: '$4' })}`,
);

/**
 * Leaves deliveries to the backlog: they are due, and no job is about to take them.
 * @transition pending --> pending
 */
export async function deferDeliveries(ids: readonly string[], tx: Tx, tries: KnownTries): Promise<void> {
  for (let start = 0; start < ids.length; start += GROUP) {
    await deferGroup(ids.slice(start, start + GROUP), tx, tries);
  }
}

async function deferGroup(ids: readonly string[], tx: Tx, tries: KnownTries): Promise<void> {
  const range = rangeOfIds(ids);
  await tx.query(deferDeliveriesSql(beginOf(range[0])), [ids, ...range, triesParam(ids, tries)]);
}
