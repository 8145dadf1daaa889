import { Logger } from '@nestjs/common';

/** What {@link Shutdown.requested} throws: the boot is called off, nothing is wrong. */
export class ShutdownRequested extends Error {}

/** npm passes on a signal that the terminal has sent to the whole group already. That is no second request. */
const SAME_REQUEST_MS = 1_000;

/** SIGHUP comes when the terminal is closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Stops a process once, in good order and in bounded time: what was opened last is closed first. The first
 * signal asks for it; another one, later, or the deadline ends the process at once.
 */
export class Shutdown {
  private readonly logger = new Logger('Shutdown');
  private readonly closers: (() => Promise<void>)[] = [];
  private readonly controller = new AbortController();
  /** Aborted by the first signal. For steps of the boot that may take minutes; the others are not interrupted. */
  readonly requested: AbortSignal = this.controller.signal;
  private requestedAt: number | undefined;
  private running: Promise<void> | undefined;
  private booted = false;
  private deadline: NodeJS.Timeout | undefined;

  constructor(private readonly deadlineMs: number) {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.request(signal));
  }

  /** Registers what has just been opened. */
  add(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  /** From now on a signal stops the service itself, instead of the boot before its next step. */
  bootFinished(): void {
    this.requested.throwIfAborted();
    this.booted = true;
  }

  /** Closes everything; called again, waits for the same end. */
  run(): Promise<void> {
    this.running ??= this.closeAll();
    return this.running;
  }

  private request(signal: string): void {
    const now = Date.now();
    if (this.requestedAt === undefined) {
      this.requestedAt = now;
      this.logger.log(`${signal}: stopping`);
      this.startDeadline();
      this.controller.abort(new ShutdownRequested());
      if (this.booted) void this.run().then(() => this.exit());
    } else if (now - this.requestedAt > SAME_REQUEST_MS) {
      this.logger.warn(`${signal} again: stopping at once`);
      process.exit(1);
    }
  }

  private exit(): void {
    this.logger.log('Stopped');
    process.exit(0);
  }

  private async closeAll(): Promise<void> {
    this.startDeadline();
    for (const close of this.closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        // The rest has to be closed all the same.
        this.logger.error('Could not close something in good order', error);
      }
    }
  }

  /** Counts from the signal on, so that a boot that hangs is ended too. */
  private startDeadline(): void {
    this.deadline ??= setTimeout(() => {
      this.logger.error(`Not stopped within ${this.deadlineMs / 1000} s: ending at once`);
      process.exit(1);
    }, this.deadlineMs).unref();
  }
}
