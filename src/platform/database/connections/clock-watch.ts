import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { BackgroundLoop } from '../../background/background-loop';
import { Database } from '../database';
import { compareClocks } from './database-clock';

/** A clock that is set while the process runs is noticed after this. */
const INTERVAL_MS = 60_000;

/** Compares the clocks of this process and of PostgreSQL, and says once when they begin or cease to differ. */
@Injectable()
export class ClockWatch implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ClockWatch.name);
  private differed = false;
  private readonly loop = new BackgroundLoop(
    () => this.compare(),
    INTERVAL_MS,
    () => undefined, // The code that needs PostgreSQL reports that it is away.
  );

  constructor(private readonly database: Database) {}

  /** Before anything makes ids or looks at partitions. */
  async onModuleInit(): Promise<void> {
    await this.compare();
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }

  async compare(): Promise<void> {
    const { aheadMs, differ } = await compareClocks(this.database.pool);
    if (differ === this.differed) return;
    this.differed = differ;
    const seconds = Math.round(aheadMs / 1000);
    if (differ) {
      this.logger.warn({
        msg:
          `PostgreSQL's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of this process. ` +
          'The one of PostgreSQL counts, and nothing past retention is dropped until they agree: set the clock that is wrong.',
        databaseAheadSeconds: seconds,
      });
    } else this.logger.log("PostgreSQL's clock and that of this process agree again");
  }
}
