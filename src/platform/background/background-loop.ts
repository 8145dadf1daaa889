/**
 * Work that the process does again and again in the background, never twice at once. A round that fails is reported,
 * and the next one follows.
 */
export class BackgroundLoop {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly work: () => Promise<unknown>,
    /** Milliseconds from the end of a round to the next one, and to the first. */
    private readonly pauseMs: number | (() => number),
    private readonly report: (error: unknown) => void,
  ) {}

  start(): void {
    const ms = typeof this.pauseMs === 'number' ? this.pauseMs : this.pauseMs();
    this.timer = setTimeout(() => {
      this.round = this.run();
    }, ms).unref();
  }

  /** Long work looks at this between its parts. */
  get stopping(): boolean {
    return this.stopped;
  }

  /** Begins no further round; resolves when the one under way is over. */
  stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    return this.round;
  }

  private async run(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      // May stop here: the next round takes it up again, and a process that stops has taken away what the work needs.
      if (!this.stopped) this.report(error);
    }
    if (!this.stopped) this.start();
  }
}
