import type { FairShare } from './fair-share';

/** When no try of a lane has ended for this long, they are stuck. */
const STUCK_AFTER_MS = 2_000;

/** The tries that one lane makes at the moment, and their pace. */
export class TriesUnderWay {
  private count = 0;
  private endedAt = 0;
  private endedSinceTick = 0;
  /** As of the last full second; undefined for a lane that has only begun. */
  perSecond: number | undefined;

  constructor(private readonly ofProcess: FairShare) {}

  get areStuck(): boolean {
    return this.count > 0 && performance.now() - this.endedAt > STUCK_AFTER_MS;
  }

  /** Whether another one may begin. @param most of this lane */
  mayStart(most: number): boolean {
    return this.count < Math.min(most, this.ofProcess.share);
  }

  start(): void {
    if (this.count === 0) this.endedAt = performance.now();
    this.count += 1;
    this.ofProcess.addHeld(1);
  }

  end(): void {
    this.count -= 1;
    this.ofProcess.addHeld(-1);
    this.endedAt = performance.now();
    this.endedSinceTick += 1;
  }

  /** Called every second. */
  tick(): void {
    this.perSecond = this.count === 0 && this.endedSinceTick === 0 ? undefined : this.endedSinceTick;
    this.endedSinceTick = 0;
  }
}
