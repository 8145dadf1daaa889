import type { Tx } from '../../platform/database/database';
import { WITH_PENDING_DESTINATIONS } from './pending-destinations';

/** A destination that may be sent to and for which something is due. */
export interface Backlog {
  readonly id: string;
  readonly name: string;
  /** PostgreSQL's time, in milliseconds since 1970. */
  readonly now_ms: number;
}

// From one destination that has something pending to the next: of 10,000 most have nothing, and every look at one is a
// look into each partition. A destination that is paused or down is one step, too, however much waits for it.
const findBacklogsSql = {
  name: 'find_backlogs',
  text: `${WITH_PENDING_DESTINATIONS}
  select d.id, d.name, (extract(epoch from now()) * 1000)::float8 as now_ms
  from pending_of p
  join destination d on d.id = p.destination_id
  left join destination_health h on h.destination_id = d.id
  where d.enabled and coalesce(h.breaker, 'closed') = 'closed' and exists (
    select from delivery
    where destination_id = d.id and state = 'pending' and due_at <= now()
      and (leased_until is null
        or leased_until not between now() and now() + 2 * $1::float8 * interval '1 millisecond'))`,
};

/** Destinations for which something is due that no process holds. @param leaseMs how long leases are taken for */
export function findBacklogs(leaseMs: number, tx: Tx): Promise<Backlog[]> {
  return tx.query<Backlog>(findBacklogsSql, [leaseMs]);
}
