import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';

/** How long a pass reads on. Then it starts over, for what has become due behind it. */
const MAX_PASS_MS = 10_000;

/**
 * Where the next claim of a backlog begins. Each claim reads on from where the last one ended, because the way there
 * leads through all that was delivered meanwhile; but released leases and retries can be due behind that place, so
 * nothing is left out for longer than a pass takes. Pure: the clock is the caller's.
 */
export class BacklogPass {
  private reached: string | undefined;
  private startedAt: number;

  /** @param now in milliseconds of any steady clock */
  constructor(now: number) {
    this.startedAt = now;
  }

  /** What the next claim takes is due then or later; undefined: however long it is due. */
  from(now: number): string | undefined {
    if (now - this.startedAt > MAX_PASS_MS) this.startOver(now);
    return this.reached;
  }

  /** Notes what a claim from that place brought. Returns whether there is nothing more to claim. */
  ends(claimed: readonly ClaimedDelivery[], limit: number, now: number): boolean {
    const wasFirst = this.reached === undefined;
    if (claimed.length >= limit) {
      this.reached = latestDue(claimed);
      return false;
    }
    this.startOver(now);
    return wasFirst;
  }

  private startOver(now: number): void {
    this.reached = undefined;
    this.startedAt = now;
  }
}

/**
 * The order of PostgreSQL's texts of timestamps is that of the times, within one offset from UTC. Where the offset
 * changes an earlier one may be answered: then the next claim looks at some rows again.
 */
function latestDue(claimed: readonly ClaimedDelivery[]): string | undefined {
  let latest: string | undefined;
  for (const { dueAt } of claimed) {
    if (dueAt !== undefined && (latest === undefined || dueAt > latest)) latest = dueAt;
  }
  return latest;
}
