import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../events/partitions/partition-plan';
import { BackgroundWork } from '../../platform/background/background-work';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { Metrics } from '../../platform/metrics/metrics';
import { dropHookRequestsBefore } from '../requests/failed-hook-requests';

const INTERVAL_MS = 10 * 60_000;
const PART_ROWS = 1_000;

/**
 * Deletes requests that have failed once they came as long ago as rejected events are kept, also when they were run
 * again since: what is known of people who were erased is forgotten by then.
 */
@Injectable()
export class HookRetention extends BackgroundWork {
  private readonly dropped = this.metrics.counter({
    name: 'hook_requests_expired_total',
    help: 'Requests of webhooks that had failed and were deleted some days after they came, run again or not.',
  });
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.dropOld(),
    'Old requests of webhooks are deleted later',
  );

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  async dropOld(): Promise<void> {
    const days = this.config.events.rejectedRetentionDays;
    const beforeMs = databaseNowMs() - days * DAY_MS;
    let dropped = 0;
    for (let part = PART_ROWS; part === PART_ROWS; dropped += part) {
      part = await dropHookRequestsBefore(beforeMs, PART_ROWS, this.database);
    }
    if (dropped === 0) return;
    this.dropped.inc(dropped);
    this.logger.warn(`Deleted ${dropped} requests of webhooks that had failed, ${days} days after they came`);
  }
}
