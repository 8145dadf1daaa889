import type { HeldDelivery } from '../ledger/claiming/secure-deliveries';
import { RatePermits } from '../rate/rate-permits';
import type { Budget } from './budget';
import type { Hold } from './hold';
import { TriesUnderWay } from './tries-under-way';

/** A claim that a lane wants to make. */
export interface WantedClaim {
  /** What jobs brought does not wait behind the claims of backlogs. */
  readonly kind: 'jobs' | 'backlog';
  readonly size: number;
  /** The rate limit of the destination. */
  readonly perSecond: number | undefined;
  /** Claims as many at most. */
  claim(limit: number): Promise<Hold[]>;
}

/** What one lane has in hand, and whether it may take more: to be claimed, and to be sent. */
export class LaneBudget {
  readonly tries: TriesUnderWay;
  private readonly permits: RatePermits;
  // Each hold knows its index: a set that changes thousands of times a second leaves a chain of old tables behind.
  private readonly holds: Hold[] = [];
  private bytes = 0;
  private change: Promise<void> | undefined;
  private resolveChange: (() => void) | undefined;
  private readonly onChange = (): void => this.noteChange();

  constructor(
    destinationId: string,
    private readonly shared: Budget,
  ) {
    this.tries = new TriesUnderWay(shared.tries);
    this.permits = new RatePermits(destinationId, shared.limiter, this.onChange);
  }

  get isUnused(): boolean {
    return this.holds.length === 0;
  }

  get held(): HeldDelivery[] {
    return this.holds.map(({ delivery: { id, attempts } }) => ({ id, attempts }));
  }

  /** How many deliveries may wait in memory to be claimed. */
  mostWaiting(perSecond: number | undefined): number {
    return Math.min(this.permits.mostWaiting(perSecond), this.shared.waiting.share);
  }

  /** So many more wait than before, or fewer. */
  countWaiting(deliveries: number): void {
    this.shared.waiting.addHeld(deliveries);
  }

  /** Whether one more try may begin. @param most that the destination gets at a time */
  mayTry(most: number): boolean {
    return this.tries.mayStart(most) && !this.shared.writer.isFull;
  }

  /** Whether anything may be claimed. */
  get mayClaim(): boolean {
    return this.room > 0 && !this.permits.areUsedUp;
  }

  /** Makes a claim of as many as there are permits and room for, once fewer than so many are under way. @throws when PostgreSQL is away */
  async makeClaim({ kind, size, perSecond, claim }: WantedClaim): Promise<Hold[]> {
    const permitted = await this.permits.takePermits(size, perSecond);
    if (permitted === 0) return [];
    const claims = kind === 'jobs' ? this.shared.jobClaims : this.shared.backlogClaims;
    const holds = await claims.run(async () => {
      const limit = Math.min(permitted, this.room);
      if (limit === 0) return [];
      const claimed = await claim(limit);
      this.count(claimed);
      return claimed;
    });
    this.permits.keepPermits(permitted - holds.length, perSecond);
    return holds;
  }

  /** For {@link Hold} alone. */
  release(hold: Hold): void {
    this.addBytes(-hold.bytes);
    const last = this.holds.pop();
    if (last !== undefined && last !== hold) {
      this.holds[hold.index] = last;
      last.index = hold.index;
    }
    this.noteChange();
  }

  count(holds: readonly Hold[]): void {
    if (holds.length === 0) return;
    for (const hold of holds) hold.index = this.holds.push(hold) - 1;
    const bytes = holds.reduce((sum, hold) => sum + hold.bytes, 0);
    this.addBytes(bytes);
    this.shared.learn(bytes / holds.length);
  }

  /** Resolves when there may be another answer to what this class is asked. */
  nextChange(): Promise<void> {
    if (this.shared.writer.isFull) this.shared.writer.whenRoom(this.onChange);
    this.change ??= new Promise((resolve) => (this.resolveChange = resolve));
    return this.change;
  }

  /** Something changed: who waits looks again. */
  noteChange(): void {
    if (this.change === undefined) return;
    this.change = undefined;
    this.resolveChange?.();
  }

  close(): void {
    this.permits.close();
  }

  /** How many more deliveries may be claimed: one at least, when none is held. */
  private get room(): number {
    const room = Math.floor((this.shared.bodies.share - this.bytes) / this.shared.usualBytes);
    return Math.max(this.bytes === 0 ? 1 : 0, room);
  }

  private addBytes(bytes: number): void {
    this.bytes += bytes;
    this.shared.bodies.addHeld(bytes);
  }
}
