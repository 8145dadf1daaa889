import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from '../platform/background/background-loop';
import { cleanNotices } from '../delivery/ledger/ending/clean-notices';
import { Database } from '../platform/database/database';

const INTERVAL_MS = 60_000;

/** Removes the person from delete notices that have arrived: the last place in which the service names him. */
@Injectable()
export class NoticeCleaner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NoticeCleaner.name);
  private readonly loop = new BackgroundLoop(
    () => this.clean(),
    INTERVAL_MS,
    (error) => this.logger.warn(`Notices could not be cleaned: ${String(error)}`),
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }

  async clean(): Promise<void> {
    await cleanNotices(this.database);
  }
}
