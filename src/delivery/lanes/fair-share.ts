/** Of what is free, one may have so much. */
const PART = 1 / 8;

/**
 * Shares an amount out to any number of holders that do not know of each other. Each may hold a part of what is free:
 * one alone gets plenty, n that take all they get hold `total / (8 + n)` each, and some is left for others whatever
 * they do. Each may hold a little in any case, so no holder ever waits for another one.
 * https://doi.org/10.1109/90.664262 (dynamic thresholds, as switches share their buffers)
 */
export class FairShare {
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

  /** A lane holds this much more, or less, than before. */
  addHeld(amount: number): void {
    this.held += amount;
  }
}
