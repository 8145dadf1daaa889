/** A lease outlasts the slowest try by this much, and a claimed delivery may wait this long for a slot. */
const LEASE_MARGIN_MS = 15_000;

/** How long a delivery is leased. @param timeoutMs of one try */
export function leaseMsFor(timeoutMs: number): number {
  return 2 * timeoutMs + LEASE_MARGIN_MS;
}

/**
 * The condition that no process holds a delivery: it has no lease, its lease has ended, or whose lease it is is gone. A
 * lease that ends later than a lease can was taken while PostgreSQL's clock was ahead; processes that are configured in
 * different ways may differ by as much again.
 * @param params the statement's parameters: how long leases are taken for, and the ids of workers that are gone
 */
export function isFree({ leaseMs, lost }: { readonly leaseMs: string; readonly lost: string }): string {
  return `(leased_until is null or leased_by = any(${lost}::int[])
      or leased_until not between now() and now() + 2 * ${leaseMs}::float8 * interval '1 millisecond')`;
}
