const LINES_PER_SECOND = 10;

/**
 * Tells the developer at the terminal what happens, one line each. Of more than ten lines in a second it tells their
 * number only. Outside development it says nothing.
 */
export class TerminalLines {
  private told = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: (line: string) => void,
    private readonly enabled: boolean,
  ) {}

  /** @param line called only when the line is written */
  tell(line: () => string): void {
    if (!this.enabled) return;
    this.timer ??= setTimeout(() => this.endSecond(), 1_000).unref();
    if (this.told >= LINES_PER_SECOND) {
      this.leftOut += 1;
      return;
    }
    this.told += 1;
    this.write(line());
  }

  private endSecond(): void {
    this.timer = undefined;
    if (this.leftOut > 0) this.write(`… and ${this.leftOut} more like these`);
    this.told = 0;
    this.leftOut = 0;
  }
}
