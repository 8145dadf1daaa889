import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ThrottledWarning } from '../logging/throttled-warning';
import { BackgroundLoop } from './background-loop';

/** A provider with work in the background: it begins when the process has booted, and ends with it. */
export abstract class BackgroundWork implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  protected abstract readonly loop: BackgroundLoop;

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }

  /**
   * @param pauseMs from the end of a round to the next one, and to the first
   * @param failing what a round that failed means, for the log
   */
  protected every(
    pauseMs: number | (() => number),
    work: () => Promise<unknown>,
    failing: string,
  ): BackgroundLoop {
    const warning = new ThrottledWarning(this.logger);
    return new BackgroundLoop(work, pauseMs, (error) => warning.warn(`${failing}: ${String(error)}`));
  }
}
