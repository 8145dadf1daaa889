import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Metrics } from '../platform/metrics/metrics';
import { scraped } from '../platform/metrics/scraped';

/** Counting stops here: more only says "far too many", and a scrape has to be quick. */
const MAX_COUNT = 10_000;

const readInboxLag = {
  name: 'read_inbox_lag',
  text: `
  select (select count(*)::int from (select from inbox limit ${MAX_COUNT}) as some) as rows,
    coalesce((select extract(epoch from clock_timestamp() - created_at)::float8
      from inbox order by id limit 1), 0) as oldest_seconds`,
};

interface InboxLag {
  readonly rows: number;
  readonly oldest_seconds: number;
}

/** How far processing is behind reception. The same in every process, so take the maximum, not the sum. */
@Injectable()
export class InboxMetrics {
  constructor(metrics: Metrics, database: Database) {
    const read = scraped(
      async () => (await database.query<InboxLag & Record<string, unknown>>(readInboxLag))[0],
    );
    metrics.gauge({
      name: 'inbox_commits',
      help: `Group commits whose events wait to be processed; counted up to ${MAX_COUNT}.`,
      async collect() {
        const lag = await read();
        if (lag !== undefined) this.set(lag.rows);
      },
    });
    metrics.gauge({
      name: 'inbox_lag_seconds',
      help: 'Age of the oldest events that wait to be processed.',
      async collect() {
        const lag = await read();
        if (lag !== undefined) this.set(Math.max(0, lag.oldest_seconds));
      },
    });
  }
}
