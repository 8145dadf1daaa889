import type { RateLimiter } from './rate-limiter';

/** Permits that found nothing to send are kept this long for what comes next. */
const KEEP_MS = 1_000;
/** What may wait in memory for permits, in seconds of the rate; the rest waits in the ledger. */
const HELD_SECONDS = 2;

/** What one lane may send under the rate limit of its destination, if there is one. */
export class RatePermits {
  private kept = 0;
  private keptUntil = 0;
  private askAgainAt = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param onPermits called when it makes sense to ask again */
  constructor(
    private readonly destinationId: string,
    private readonly limiter: RateLimiter,
    private readonly onPermits: () => void,
  ) {}

  /** Whether there is no use in asking before `onPermits` is called. */
  get areUsedUp(): boolean {
    return performance.now() < this.askAgainAt;
  }

  /** How many deliveries may wait in memory. */
  mostWaiting(perSecond: number | undefined): number {
    return perSecond === undefined ? Infinity : Math.max(1, perSecond * HELD_SECONDS);
  }

  /** How many of `wanted` may be sent now. @throws when PostgreSQL is away */
  async takePermits(wanted: number, perSecond: number | undefined): Promise<number> {
    if (perSecond === undefined) return wanted;
    if (performance.now() >= this.keptUntil) this.kept = 0;
    const kept = Math.min(this.kept, wanted);
    this.kept -= kept;
    if (kept === wanted) return kept;
    const { granted, waitMs } = await this.limiter.takePermits(this.destinationId, perSecond, wanted - kept);
    if (kept + granted < wanted) this.askAgainIn(waitMs);
    return kept + granted;
  }

  /** Keeps permits for a moment that were not used; where there is no limit there are none to keep. */
  keepPermits(permits: number, perSecond: number | undefined): void {
    if (permits <= 0 || perSecond === undefined) return;
    this.kept += permits;
    this.keptUntil = performance.now() + KEEP_MS;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private askAgainIn(waitMs: number): void {
    this.askAgainAt = performance.now() + waitMs;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.askAgainAt = 0;
      this.onPermits();
    }, waitMs).unref();
  }
}
