import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** What becomes of an event that is sent. */
export type CountedAs = 'accepted' | 'duplicate' | 'rejected' | 'quarantined';

/** Events of a source that came to the same. */
export interface EventCount {
  readonly sourceId: string;
  readonly outcome: CountedAs;
  readonly count: number;
}

// Sorted, so that two processes that count the same wait for each other but never in a circle. Minutes that no
// statistics show any more go with it, more of them than come: the key begins with the minute, so there is nothing to
// search.
const countEventsSql = prepared('add_event_counts')`
    with counted as (
      insert into event_minute as m (minute, source_id, outcome, count)
      select date_trunc('minute', now()), c.source_id, c.outcome, c.count
      from unnest($1::uuid[], $2::text[], $3::bigint[]) as c(source_id, outcome, count)
      order by 2, 3
      on conflict (minute, source_id, outcome) do update set count = m.count + excluded.count
    )
    delete from event_minute where ctid = any(array(
      select ctid from event_minute where minute < now() - interval '2 days' order by minute limit 1000))`;

/** Adds to the counts of the present minute. */
export async function countEvents(counts: readonly EventCount[], tx: Tx): Promise<void> {
  await tx.query(countEventsSql, [
    counts.map(({ sourceId }) => sourceId),
    counts.map(({ outcome }) => outcome),
    counts.map(({ count }) => count),
  ]);
}
