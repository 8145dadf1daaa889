import type { Tx } from '../../../platform/database/database';
import { isFree } from '../claiming/lease';
import { withPendingDestinations } from '../pending-destinations';
import { prunedStatement } from '../pruned-statement';

/** A destination that may be sent to and for which something is due. */
export interface Backlog {
  readonly id: string;
  readonly name: string;
  /** PostgreSQL's time, in milliseconds since 1970. */
  readonly now_ms: number;
}

// From one destination that has something pending to the next: of 10,000 most have nothing, and every look at one is a
// look into each partition. A destination that is paused or down is one step, too, however much waits for it.
const findBacklogsSql = prunedStatement(
  'find_backlogs',
  (fromId) => `${withPendingDestinations(fromId)}
  select d.id, d.name, (extract(epoch from now()) * 1000)::float8 as now_ms
  from pending_of p
  join destination d on d.id = p.destination_id
  left join destination_health h on h.destination_id = d.id
  cross join lateral (
    select from delivery
    where destination_id = d.id and state = 'pending' and id >= ${fromId} and due_at <= now() + $3 * interval '1 millisecond'
      and ${isFree({ leaseMs: '$1', lost: '$2' })}
    order by due_at limit 1) due
  where d.enabled and coalesce(h.breaker, 'closed') = 'closed'`,
);

/** What it depends on whether a delivery is held and due. */
interface Takeover {
  /** How long leases are taken for. */
  readonly leaseMs: number;
  /** Ids of workers that are gone. */
  readonly lost: readonly number[];
  /** How much earlier than it says a delivery is due. */
  readonly earlyMs: number;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

// Of those with an order: something waits, and its head may be free without anybody who knows.
const findOrderedBacklogsSql = prunedStatement(
  'find_ordered_backlogs',
  (fromId) => `
  select d.id, d.name, (extract(epoch from now()) * 1000)::float8 as now_ms
  from destination d
  left join destination_health h on h.destination_id = d.id
  cross join lateral (
    select from delivery
    where destination_id = d.id and state = 'pending' and due_at = 'infinity' and id >= ${fromId} limit 1) waiting
  where d.id = any($1::uuid[]) and d.enabled and coalesce(h.breaker, 'closed') = 'closed'`,
);

/** Those of the destinations with an order for which something waits. */
export function findOrderedBacklogs(
  destinationIds: readonly string[],
  pendingFrom: string,
  tx: Tx,
): Promise<Backlog[]> {
  return tx.query<Backlog>(findOrderedBacklogsSql(pendingFrom), [destinationIds]);
}

/** Destinations for which something is due that no process holds. */
export function findBacklogs({ leaseMs, lost, earlyMs, pendingFrom }: Takeover, tx: Tx): Promise<Backlog[]> {
  return tx.query<Backlog>(findBacklogsSql(pendingFrom), [leaseMs, lost, earlyMs]);
}
