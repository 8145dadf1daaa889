import type { Logger } from '@nestjs/common';

const INTERVAL_MS = 10_000;

/**
 * Logs the first of a row of like warnings at once, then one every ten seconds with the number left out:
 * an outage is one line at a time, not one per job. Its end is a line, too, where somebody tells it.
 */
export class ThrottledWarning {
  private lastAt = -Infinity;
  private suppressed = 0;
  private isTold = false;

  constructor(
    private readonly logger: Pick<Logger, 'warn' | 'log'>,
    private readonly now: () => number = Date.now,
  ) {}

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const now = this.now();
    if (now - this.lastAt < INTERVAL_MS) {
      this.suppressed += 1;
      return;
    }
    const repeated = this.suppressed === 0 ? '' : ` (and ${this.suppressed} more like it)`;
    this.logger.warn(`${message}${repeated}`, fields);
    this.lastAt = now;
    this.suppressed = 0;
    this.isTold = true;
  }

  /** To be called whenever it goes well: logs the message if a warning was logged since the last time. */
  over(message: string): void {
    if (!this.isTold) return;
    this.isTold = false;
    this.suppressed = 0;
    this.logger.log(message);
  }
}
