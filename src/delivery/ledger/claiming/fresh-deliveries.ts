import type { ClaimedDelivery } from './claimed-delivery';

/** Their job comes within milliseconds. What has changed after one or two of these is looked up in the ledger. */
const PERIOD_MS = 1_000;
/** In characters of bodies; in a period. */
const MAX_SIZE = 2 * 1024 * 1024;

/**
 * Deliveries that this process has just written. Until their grace ends they are left to their job, so the process that
 * gets the job and has them here knows what a claim would tell it.
 */
export class FreshDeliveries {
  // A map for each period: V8 links the tables of one to which thousands of entries a second come and go.
  private current = new Map<string, ClaimedDelivery>();
  private former = new Map<string, ClaimedDelivery>();
  private size = 0;
  private periodEndsAt = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** To be called once they are committed. */
  keep(deliveries: readonly ClaimedDelivery[]): void {
    this.rotate();
    for (const delivery of deliveries) {
      this.current.set(delivery.id, delivery);
      this.size += delivery.body?.length ?? 0;
    }
  }

  /**
   * Those of the deliveries that are here, once.
   * @param untouchedMs for how much longer they must be left to their job
   */
  takeFresh(ids: readonly string[], untouchedMs: number): ClaimedDelivery[] {
    this.rotate();
    const until = this.now() + untouchedMs;
    return ids.flatMap((id) => {
      const delivery = this.current.get(id) ?? this.former.get(id);
      this.drop([id]);
      return delivery !== undefined && delivery.leaseEndsAt > until ? [delivery] : [];
    });
  }

  /** They are not left to their job any more. */
  drop(ids: readonly string[]): void {
    for (const id of ids) if (!this.current.delete(id)) this.former.delete(id);
  }

  private rotate(): void {
    const now = this.now();
    if (now < this.periodEndsAt && this.size < MAX_SIZE) return;
    this.former = now < this.periodEndsAt + PERIOD_MS ? this.current : new Map();
    this.current = new Map();
    this.size = 0;
    this.periodEndsAt = now + PERIOD_MS;
  }
}
