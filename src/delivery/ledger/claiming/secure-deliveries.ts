import type { Tx } from '../../../platform/database/database';
import type { Claimant } from './claim-deliveries';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { isOneOf, isStillPending } from '../found-by-id';

/** A delivery in the hands of this process, as it was claimed. */
export interface HeldDelivery {
  readonly id: string;
  /** Tries made before. */
  readonly attempts: number;
}

// Rows that are locked are being recorded, and what has more tries by now was. What is due was given back since it was
// found in hand: who holds a delivery without a lease has it before it is due. By the clock, for what is seen may have
// been given back after the statement began.
const secureDeliveriesSql = prunedStatement(
  'secure_deliveries',
  (fromId) => `
  with held as (
    select id, attempts from delivery
    where id = any($3::uuid[]) and ${isBetween('id', '$4', '$5')} and id >= ${fromId} and ${isStillPending()} and leased_until is null
      and due_at > clock_timestamp()
    for update skip locked
  )
  update delivery d set leased_until = now() + $1 * interval '1 millisecond', leased_by = $2::int
  from held join unnest($3::uuid[], $6::int[]) as asked (id, attempts) using (id, attempts)
  where d.id = held.id and ${isOneOf('held')} and d.id >= ${fromId}`,
);

/**
 * Leases what a process holds without a lease.
 * @transition pending --> pending
 */
export async function secureDeliveries(
  { leaseMs, workerId }: Claimant,
  held: readonly HeldDelivery[],
  tx: Tx,
): Promise<void> {
  if (held.length === 0) return;
  const ids = held.map(({ id }) => id);
  const range = rangeOfIds(ids);
  const tries = held.map(({ attempts }) => attempts);
  await tx.query(secureDeliveriesSql(beginOf(range[0])), [leaseMs, workerId, ids, ...range, tries]);
}
