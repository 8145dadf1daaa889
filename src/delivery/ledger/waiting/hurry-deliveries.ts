import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { prunedStatement } from '../pruned-statement';
import { isOneOf, isStillPending } from '../found-by-id';

/**
 * The condition that a delivery waits for a try that is planned for later. Without a lease it is in nobody's hands, for
 * who makes a later try has one. One whose try is due within the grace of its job is about to be tried, and one that is
 * never due by itself waits in a batch, or for an earlier one of its person.
 * @param isPending SQL: how the state is asked for
 * @param graceMs the statement's parameter
 */
const waitsForNextTry = (isPending: string, graceMs: string): string => `
  ${isPending} and attempts > 0 and (leased_until is null or leased_until < now())
    and due_at > now() + ${graceMs} * interval '1 millisecond' and due_at < 'infinity'`;

const hurryDeliverySql = prepared('hurry_delivery')`
  update delivery set due_at = now() where id = $1 and ${waitsForNextTry(isStillPending(), '$2')}`;

// In the order of due times, from where the part before has ended: the way to there leads through all that was hurried.
const hurryPartSql = prunedStatement(
  'hurry_deliveries',
  (fromId) => `
  with waiting as (
    select id, due_at from delivery
    where destination_id = $1 and ${waitsForNextTry("state = 'pending'", '$2')} and id >= ${fromId}
      and due_at >= $3::timestamptz and updated_at <= $4::timestamptz and ($5::text is null or error_class = $5)
    order by due_at limit $6 for update skip locked
  ), hurried as (
    update delivery d set due_at = now() where ${isOneOf('waiting')} and d.id >= ${fromId}
  )
  select count(*)::int as count, max(due_at)::text as "lastDue" from waiting`,
);

/**
 * Makes a delivery due that waits for its next try.
 * @transition pending --> pending
 */
export async function hurryDelivery(deliveryId: string, graceMs: number, tx: Tx): Promise<void> {
  await tx.query(hurryDeliverySql, [deliveryId, graceMs]);
}

/** Some deliveries of a destination that wait for their next tries. */
export interface WaitingPart {
  readonly destinationId: string;
  readonly graceMs: number;
  /** What is due earlier is left out. As PostgreSQL writes times. */
  readonly dueFrom: string;
  /** What was tried later is left out. As PostgreSQL writes times. */
  readonly triedUntil: string;
  /** Why the last try failed; null is any reason. */
  readonly reason: string | null;
  readonly limit: number;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

/** How many were hurried, and when the last of them would have been due. */
export interface HurriedPart {
  readonly count: number;
  readonly lastDue: string | undefined;
}

/** Does the same for up to so many, those that are due first. */
export async function hurryPart(
  { destinationId, graceMs, dueFrom, triedUntil, reason, limit, pendingFrom }: WaitingPart,
  tx: Tx,
): Promise<HurriedPart> {
  const params = [destinationId, graceMs, dueFrom, triedUntil, reason, limit];
  const [part] = await tx.query<{ count: number; lastDue: string | null }>(hurryPartSql(pendingFrom), params);
  return { count: part?.count ?? 0, lastDue: part?.lastDue ?? undefined };
}
