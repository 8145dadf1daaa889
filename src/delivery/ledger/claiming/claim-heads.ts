import { lowestAcceptedSql } from '../../../events/inbox/inbox-lag';
import type { Tx } from '../../../platform/database/database';
import { unplannedList } from '../../../platform/database/statements/unplanned';
import { type ClaimedRow, type Claimant, RETURNED, WITH_BODY } from './claim-deliveries';
import { firstOfPersonSql } from './first-of-person';
import { prunedStatement } from '../pruned-statement';
import { isOneOf, isStillPending } from '../found-by-id';

// The first of a person stays the first until it ends: whoever looks at the same time finds the same row, and one of
// them locks it.
const claimHeadsSql = prunedStatement(
  'claim_heads',
  (fromId) => `
  with first as (
    select f.id
    from unnest(${unplannedList('$4', 'bigint')}) as asked(person)
    cross join lateral (${firstOfPersonSql({ destinationId: '$3', person: 'asked.person', fromId })}) f
    where f.due_at = 'infinity' and f.place <= coalesce(${lowestAcceptedSql('$5')}, f.place)
  ), due as (
    select id from delivery
    where ${isOneOf('first', 'id')} and id >= ${fromId} and ${isStillPending()} and due_at = 'infinity'
      and passed_at is null and person = any(${unplannedList('$4', 'bigint')})
    for update skip locked
  ), leased as (
    update delivery d set due_at = now(), leased_until = now() + $1 * interval '1 millisecond', leased_by = $2::int
    where ${isOneOf('due')} and d.id >= ${fromId}
    returning ${RETURNED}
  ) ${WITH_BODY}`,
);

/** Whose heads to claim in a destination with an order. */
interface HeadClaim {
  readonly destinationId: string;
  /** See `personKey`. */
  readonly people: readonly string[];
  /** Events that wait for longer to be processed are not waited for. */
  readonly maxWaitSeconds: number;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

/**
 * Leases the first delivery of each of these people, unless it was claimed already, or something that was accepted
 * before is not processed.
 * @transition pending --> pending
 */
export function claimHeads(
  { leaseMs, workerId }: Pick<Claimant, 'leaseMs' | 'workerId'>,
  { destinationId, people, maxWaitSeconds, pendingFrom }: HeadClaim,
  tx: Tx,
): Promise<ClaimedRow[]> {
  const params = [leaseMs, workerId, destinationId, people, maxWaitSeconds];
  return tx.query<ClaimedRow>(claimHeadsSql(pendingFrom), params);
}
