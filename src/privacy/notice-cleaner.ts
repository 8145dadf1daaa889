import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from '../platform/background/background-loop';
import { Database, LONG_STATEMENT_MS } from '../platform/database/database';

const INTERVAL_MS = 30_000;

/**
 * What receivers answered may repeat the notice. A dead notice keeps its text, since it can be replayed, until it is dropped with its
 * partition.
 */
const cleanNoticesSql = {
  name: 'clean_notices',
  limitMs: LONG_STATEMENT_MS,
  text: `
  with cleaned as (
    update delivery set payload = null
    where event_type = 'delete' and payload is not null and state in ('delivered', 'cancelled')
    returning id
  )
  update delivery_attempt set answer = null
  where delivery_id = any(array(select id from cleaned)) and answer is not null`,
};

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
    await this.database.query(cleanNoticesSql);
  }
}
