import { Injectable } from '@nestjs/common';
import { MAX_COUNTED_ROWS, readInboxLag } from '../../events/inbox/inbox-lag';
import { Database } from '../../platform/database/database';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped, show } from '../../platform/metrics/scraped';

/** How far processing is behind reception. The same in every process, so take the maximum, not the sum. */
@Injectable()
export class InboxMetrics {
  constructor(metrics: Metrics, database: Database) {
    const read = scraped(() => readInboxLag(database));
    metrics.gauge({
      name: 'inbox_commits',
      help: `Group commits whose events wait to be processed; counted up to ${MAX_COUNTED_ROWS}.`,
      async collect() {
        show(this, (await read())?.rows);
      },
    });
    metrics.gauge({
      name: 'inbox_lag_seconds',
      help: 'Age of the oldest events that wait to be processed.',
      async collect() {
        const lag = await read();
        show(this, lag && Math.max(0, lag.oldestSeconds));
      },
    });
  }
}
