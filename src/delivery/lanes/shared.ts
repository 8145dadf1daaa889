/** Of what is free, one may have so much. */
const PART = 1 / 8;

/**
 * Something that there is only so much of, for any number of takers who cannot know of each other. Of what is free each
 * may hold a part: what one alone has is plenty, n that take all they get hold `total / (8 + n)` each, and some is left
 * for others whatever they do. A little may be held by each in any case, so nobody ever waits for anybody else.
 * https://doi.org/10.1109/90.664262 (dynamic thresholds, as switches share their buffers)
 */
export class Shared {
  private held = 0;

  constructor(
    private readonly total: number,
    /** What each may hold in any case. */
    private readonly least: number,
  ) {}

  /** How much one may hold now, what it holds already included. */
  get share(): number {
    return Math.max(this.least, (this.total - this.held) * PART);
  }

  /** Somebody holds so much more, or less, than before. */
  add(amount: number): void {
    this.held += amount;
  }
}
