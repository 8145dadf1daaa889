/** What a lane does with a destination at the moment. */
type BreakerState = 'closed' | 'open';

/** After an outage, this many failures in a row open the breaker again, where a healthy one takes more. */
const FAILURES_WHILE_RAMPING = 3;
/** A destination that few events go to is as good as any other so long after its outage, however few arrived since. */
const MAX_RAMP_MS = 60_000;

/** A try that failed. */
interface Failure {
  /**
   * Whether it was the first try of its delivery. Later tries say nothing new: they are spread out already, and each
   * delivery has a right to its number of tries.
   */
  readonly isNews: boolean;
  /** When the try began, on the clock of {@link Breaker.close}. */
  readonly startedAtMs: number;
}

/**
 * Decides for one destination, in one process, whether and how many tries run at once. Pure: time and storage are
 * elsewhere. Closed: as many as `maxConcurrency`. Open: none, but probes. After a probe succeeded: one at a time,
 * then two, four, … so that a receiver that comes back is not run over.
 */
export class Breaker {
  private failuresInRow = 0;
  private answersAtLimit = 0;
  private limit: number;
  private closedAtMs = -Infinity;
  state: BreakerState = 'closed';

  constructor(private readonly maxConcurrency: number) {
    this.limit = maxConcurrency;
  }

  /** How many tries may be under way. */
  get concurrency(): number {
    return this.state === 'open' ? 0 : this.limit;
  }

  get ramping(): boolean {
    return this.limit < this.maxConcurrency;
  }

  /** A try that arrived. */
  onSuccess(): void {
    this.failuresInRow = 0;
    this.widen();
  }

  /**
   * A try that the receiver refused for what it holds. It is there; but whether it can take anything this does not say.
   */
  onRefusal(): void {
    this.widen();
  }

  /**
   * A try that began before the destination was found to be back says nothing of it now.
   * After an outage later tries count as well.
   * @param toOpen so many failures in a row say that the destination is down
   * @returns whether this failure opened the breaker
   */
  onFailure({ isNews, startedAtMs }: Failure, toOpen: number): boolean {
    if (startedAtMs < this.closedAtMs) return false;
    if (startedAtMs - this.closedAtMs > MAX_RAMP_MS) this.limit = this.maxConcurrency;
    if (isNews || this.ramping) this.failuresInRow += 1;
    const enough = this.ramping ? Math.min(toOpen, FAILURES_WHILE_RAMPING) : toOpen;
    if (this.state === 'open' || this.failuresInRow < enough) return false;
    this.open();
    return true;
  }

  open(): void {
    this.state = 'open';
  }

  /** Closes it and starts with one try at a time. */
  close(nowMs: number): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.closedAtMs = nowMs;
    this.failuresInRow = 0;
    this.answersAtLimit = 0;
    this.limit = 1;
  }

  private widen(): void {
    if (!this.ramping) return;
    this.answersAtLimit += 1;
    if (this.answersAtLimit < this.limit) return;
    this.limit = Math.min(this.limit * 2, this.maxConcurrency);
    this.answersAtLimit = 0;
  }
}
