import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { CountedOutcome } from './delivery-counter';
import { TRIED_OUTCOMES } from './failing-since';

/** Tries of all destinations in one part of a time, of one latency. */
export interface DeliveryCounts {
  readonly at: Date;
  readonly outcome: CountedOutcome;
  readonly latencyClass: number;
  readonly count: number;
}

const readDeliveryCountsSql = prepared('read_delivery_counts')`
    select date_bin(make_interval(secs => $2), minute, to_timestamp(0)) as at, outcome,
      latency_class as "latencyClass", sum(count)::float8 as count
    from delivery_minute where minute >= $1::timestamptz and outcome in (${TRIED_OUTCOMES}, 'expired')
    group by 1, 2, 3`;

/** The counts of all destinations since a time, in steps. What does not occur has none. */
export function readDeliveryCounts(from: Date, stepSeconds: number, tx: Tx): Promise<DeliveryCounts[]> {
  return tx.query<DeliveryCounts>(readDeliveryCountsSql, [from, stepSeconds]);
}
