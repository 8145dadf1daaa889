import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { DAY_MS, lowestId } from '../../events/partitions/partition-plan';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { Metrics } from '../../platform/metrics/metrics';

const INTERVAL_MS = 10 * 60_000;
const PART_ROWS = 5_000;

const dropOldSql = `
  delete from quarantined_event
  where id in (select id from quarantined_event where id < $1 order by id limit ${PART_ROWS}) returning 1`;

/** Deletes events that nobody has released from quarantine for as long as they are kept. */
@Injectable()
export class QuarantineRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(QuarantineRetention.name);
  private readonly dropped = this.metrics.counter({
    name: 'quarantined_events_expired_total',
    help: 'Events that were deleted because nobody had released them from quarantine.',
  });
  private readonly loop = new BackgroundLoop(
    () => this.dropOld(),
    INTERVAL_MS,
    (error) => this.logger.warn(`Old quarantined events are deleted later: ${String(error)}`),
  );

  constructor(
    private readonly database: Database,
    @Inject(Config) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }

  async dropOld(): Promise<void> {
    const days = this.config.events.quarantineRetentionDays;
    const before = lowestId(databaseNowMs() - days * DAY_MS);
    let dropped = 0;
    for (let part = PART_ROWS; part === PART_ROWS; dropped += part) {
      part = (await this.database.query(dropOldSql, [before])).length;
    }
    if (dropped === 0) return;
    this.dropped.inc(dropped);
    this.logger.warn(`Deleted ${dropped} quarantined events that nobody had released for ${days} days`);
  }
}
