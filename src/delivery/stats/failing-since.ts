import type { Tx } from '../../platform/database/database';
import { DEGRADED_SHARE } from '../breaker/degraded-share';

/** What was counted that was a try, as a list in SQL. */
export const TRIES = `'delivered', 'failed', 'dead'`;

// The newest that is known decides: many failures among the tries of the last five minutes; or, when there were none,
// nothing but failures in the last hour or day that had some. Tries since the destination was switched on or found to be
// back go before all others. What came before a test that succeeded does not count.
const failingSinceSql = {
  name: 'read_failing_since',
  text: `
  with tries as (
    select m.minute, coalesce(m.first_at, m.minute) as first_at, m.count, m.outcome <> 'delivered' as failed,
      coalesce(m.minute < h.since, false) as before_change,
      case when m.minute > now() - interval '5 minutes' then 0 when m.minute > now() - interval '1 hour' then 1 else 2 end
        as age
    from delivery_minute m left join destination_health h using (destination_id)
    where m.destination_id = $1 and m.outcome in (${TRIES})
      and m.minute > now() - interval '1 day' and m.minute >= coalesce(h.tested_at, '-infinity')
  ), newest as (
    select before_change, age, sum(count) as tries, coalesce(sum(count) filter (where failed), 0) as failures
    from tries group by 1, 2 order by 1, 2 limit 1
  ), minutes as (
    select minute, sum(count) as tries, coalesce(sum(count) filter (where failed), 0) as failures,
      min(first_at) filter (where failed) as first_failure
    from tries where before_change = (select before_change from newest) group by minute
  ), last_good as (
    select max(minute) as minute from minutes where failures <= tries * ${DEGRADED_SHARE}
  )
  select coalesce(
      min(m.first_failure) filter (where m.minute > coalesce(g.minute, '-infinity')),
      min(m.first_failure) filter (where m.minute > now() - interval '5 minutes')) as since
  from newest n, last_good g, minutes m
  where case when n.age = 0 and not n.before_change then n.failures > n.tries * ${DEGRADED_SHARE}
    else n.failures = n.tries end`,
};

/** The first failure since which most tries of a destination fail, within a second; undefined while they succeed. */
export async function failingSince(destinationId: string, tx: Tx): Promise<Date | undefined> {
  const [row] = await tx.query<{ since: Date | null }>(failingSinceSql, [destinationId]);
  return row?.since ?? undefined;
}
