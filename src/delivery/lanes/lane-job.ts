import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';

/** Made once: one of each job would hold the job, see `lean-client.ts`. */
const nothing = (): void => undefined;

/** A job on a lane: the deliveries that it brought, until the last of them has ended or the job is let go. */
export class LaneJob {
  private left: number;
  private finish: () => void = nothing;
  private isLetGo = false;
  /** Of a job with a single delivery; undefined when it was not tried while the job waited. */
  outcome: DeliveryOutcome | undefined;
  /** Whether another transaction had the row of its delivery: it was not tried, and still may be. */
  isPassedOver = false;
  readonly done: Promise<void>;

  /**
   * @param isRetry whether the job makes the next try of its delivery itself
   * @param tries of each delivery, as far as the job knows: one that had more is not the job's any more
   */
  constructor(
    readonly deliveryIds: readonly string[],
    readonly isRetry = false,
    readonly tries?: number,
  ) {
    this.left = deliveryIds.length;
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  get makesNextTry(): boolean {
    return this.isRetry && !this.isLetGo;
  }

  /** One of its deliveries has ended; without an outcome it was not tried. */
  endOne(outcome?: DeliveryOutcome): void {
    if (!this.isLetGo) this.outcome = outcome;
    this.left -= 1;
    if (this.left === 0) this.finish();
  }

  /** The job waits no longer. Its deliveries stay in hand, and in the ledger. */
  letGo(): void {
    this.isLetGo = true;
    this.finish();
  }
}
