/** The first look is at so much time; the next ones at more and more, as long as they are quick. */
const FIRST_LOOK_MS = 1_000;
const GROWTH = 4;
/** Where there is next to nothing, so that so much more is quick, too. */
const AT_ONCE_MS = 5;
const LEAP = 16;
const SHRINKING = 4;
const QUICK_MS = 100;
const SLOW_MS = 500;

/** A stretch of time in milliseconds since 1970: from inclusive, to exclusive. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * A walk back through time, a stretch after the other, each as long as can be looked through quickly. Nobody knows how
 * much there is in a stretch: after hours of silence a look reaches far back, where there may be more than can be read.
 */
export class WalkBack {
  /** How much of the next stretch is a leap to what is expected before it. */
  private leapMs = 0;

  /** @param toMs where it begins */
  constructor(
    private readonly fromMs: number,
    private toMs: number,
    private lookMs = FIRST_LOOK_MS,
  ) {}

  get isOver(): boolean {
    return this.toMs <= this.fromMs;
  }

  /** What to look at now. */
  get next(): Stretch {
    const fromMs = Math.floor(this.toMs - this.leapMs - this.lookMs);
    return { fromMs: Math.max(fromMs, this.fromMs), toMs: this.toMs };
  }

  /**
   * There is little after this time: the next stretch ends before it, and those after that begin as small as the first.
   */
  leapTo(ms: number): void {
    if (ms >= this.toMs) return;
    this.leapMs = this.toMs - ms;
    this.lookMs = FIRST_LOOK_MS;
  }

  /** The next stretch was looked at. */
  goOn(tookMs: number): void {
    this.toMs = this.next.fromMs;
    this.leapMs = 0;
    if (tookMs < AT_ONCE_MS) this.lookMs *= LEAP;
    else if (tookMs < QUICK_MS) this.lookMs *= GROWTH;
    else if (tookMs > SLOW_MS) this.shrink(this.lookMs);
  }

  /** There was too much in the next stretch: it will be shorter. False when it is as short as can be. */
  lookLess(): boolean {
    const { fromMs, toMs } = this.next;
    this.shrink(toMs - fromMs);
    return toMs - fromMs > 1;
  }

  private shrink(lookMs: number): void {
    this.leapMs = 0;
    this.lookMs = Math.max(1, lookMs / SHRINKING);
  }
}
