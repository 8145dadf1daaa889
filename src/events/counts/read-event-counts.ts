import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { CountedAs } from './count-events';

/** Events of a source in one part of a time. */
export interface EventCounts {
  readonly sourceId: string;
  readonly at: Date;
  readonly outcome: CountedAs;
  readonly count: number;
}

const readEventCountsSql = prepared('read_event_counts')`
    select source_id as "sourceId", date_bin(make_interval(secs => $2), minute, to_timestamp(0)) as at, outcome,
      sum(count)::float8 as count
    from event_minute where minute >= $1::timestamptz
    group by 1, 2, 3`;

/** The counts of each source since a time, in steps. What does not occur has none. */
export function readEventCounts(from: Date, stepSeconds: number, tx: Tx): Promise<EventCounts[]> {
  return tx.query<EventCounts>(readEventCountsSql, [from, stepSeconds]);
}
