import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import { Metrics } from '../platform/metrics/metrics';
import { scraped, show } from '../platform/metrics/scraped';
import { oldestDueSql } from './computing/segment-upkeep';

const readSegmentLagSql = prepared('read_segment_lag')`
  select count(*)::int as tasks,
    coalesce(extract(epoch from clock_timestamp() - least(min(run_after), ${oldestDueSql})), 0)::float8 as late_seconds
  from (
    select run_after from segment_task
    union all select run_after from kept_trait where state in ('computing', 'discarding')
  ) as task`;

interface SegmentLag {
  readonly tasks: number;
  readonly late_seconds: number;
}

/**
 * What is still to be done for segments that were changed, for computed traits that are to be kept, and for people for
 * whom windows have passed; members and values follow events without it. The same in every process, so take the
 * maximum, not the sum.
 */
@Injectable()
export class SegmentMetrics {
  constructor(metrics: Metrics, database: Database) {
    const read = scraped(async () => (await database.query<SegmentLag>(readSegmentLagSql))[0]);
    metrics.gauge({
      name: 'segment_tasks',
      help: 'Steps that wait or run until changed segments and kept computed traits are computed and settled.',
      async collect() {
        show(this, (await read())?.tasks);
      },
    });
    metrics.gauge({
      name: 'segment_lag_seconds',
      help: 'How long the step, or the person for whom a window has passed, that has been due the longest has been due.',
      async collect() {
        const lag = await read();
        show(this, lag && Math.max(0, lag.late_seconds));
      },
    });
  }
}
