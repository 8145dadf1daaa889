import type { Outcome } from '../ledger/outcome';

/** Deliveries that one job brought, on their way through a lane. */
export class Batch {
  private remaining: number;
  private finish: () => void = () => undefined;
  /** The outcome of a batch of one. */
  outcome: Outcome | undefined;
  /** Nobody waits for it any more. */
  detached = false;
  /** All of it is recorded, was not to be had, or was given back; or the batch was detached. */
  readonly done: Promise<void>;

  constructor(
    readonly ids: readonly string[],
    /** The job makes its next try itself. */
    readonly isRetry = false,
  ) {
    this.remaining = ids.length;
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  /** One of the deliveries is through; without an outcome it was not tried. */
  settle(outcome?: Outcome): void {
    if (!this.detached) this.outcome = outcome;
    this.remaining -= 1;
    if (this.remaining === 0) this.finish();
  }

  /** Lets the job go although its deliveries are not through: they stay in hand, and in the ledger. */
  detach(): void {
    this.detached = true;
    this.finish();
  }
}
