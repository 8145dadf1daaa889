import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** A destination is degraded when more than this part of the tries of the last five minutes failed. */
const DEGRADED_SHARE = 0.1;

/** What was counted that was a try, as a list in SQL. */
export const TRIED_OUTCOMES = `'delivered', 'failed', 'dead'`;

// The newest that is known decides: many failures among the tries of the last five minutes; or, when there were none,
// many among the last five minutes that had some, and no success in the newest of them: that time has passed makes
// nothing well. Tries since the destination was switched on or found to be back go before all others. What came before a
// test that succeeded does not count. Of those that are well by the tries of these minutes, the day before is not read.
// - well: few failures in the last five minutes, since the destination changed (was switched on, found to be back) or a
//   test
// - tries: of all others, of the last day; whether before that change
// - newest: of each destination the newest minute, after that change if there is one; whether it is of the last five
// - minutes: all of the same side of the change, minute by minute
// - decisive: the last five minutes that had some, with what the newest of them came to
// - last_good: the last minute with few failures; what failed after it is what it is failing since
const failingSinceSql = prepared('read_failing_since')`
  with well as (
    select m.destination_id from delivery_minute m left join destination_health h using (destination_id)
    where m.destination_id = any($1::uuid[]) and m.outcome in (${TRIED_OUTCOMES}) and m.minute > now() - interval '5 minutes'
      and m.minute >= greatest(h.since, h.tested_at, '-infinity')
    group by 1
    having coalesce(sum(m.count) filter (where m.outcome <> 'delivered'), 0) <= sum(m.count) * ${DEGRADED_SHARE}
  ), tries as (
    select destination_id, m.minute, coalesce(m.first_at, m.minute) as first_at, m.count, m.outcome <> 'delivered' as failed,
      coalesce(m.minute < h.since, false) as before_change
    from delivery_minute m left join destination_health h using (destination_id)
    where destination_id = any(array(select unnest($1::uuid[]) except select destination_id from well))
      and m.outcome in (${TRIED_OUTCOMES}) and m.minute > now() - interval '1 day' and m.minute >= coalesce(h.tested_at, '-infinity')
  ), newest as (
    select distinct on (destination_id) destination_id, before_change, max(minute) as minute,
      max(minute) > now() - interval '5 minutes' as recent
    from tries group by 1, 2 order by 1, 2
  ), minutes as (
    select destination_id, t.minute, sum(t.count) as tries, coalesce(sum(t.count) filter (where t.failed), 0) as failures,
      min(t.first_at) filter (where t.failed) as first_failure
    from tries t join newest n using (destination_id)
    where t.before_change = n.before_change group by 1, 2
  ), decisive as (
    select destination_id, sum(m.tries) as tries, sum(m.failures) as failures,
      coalesce(sum(m.tries - m.failures) filter (where m.minute = n.minute), 0) as newest_successes
    from minutes m join newest n using (destination_id)
    where m.minute > case when n.recent then now() else n.minute end - interval '5 minutes' group by 1
  ), last_good as (
    select destination_id, max(minute) as minute from minutes where failures <= tries * ${DEGRADED_SHARE} group by 1
  )
  select destination_id, coalesce(
      min(m.first_failure) filter (where m.minute > coalesce(g.minute, '-infinity')),
      min(m.first_failure) filter (where m.minute > now() - interval '5 minutes')) as since
  from newest n join decisive d using (destination_id) join minutes m using (destination_id)
    left join last_good g using (destination_id)
  where d.failures > d.tries * ${DEGRADED_SHARE} and (n.recent and not n.before_change or d.newest_successes = 0)
  group by 1`;

// Only tries make a destination degraded: those of the last minutes are enough to find the ones to ask about.
const findFailingSql = prepared('find_failing_destinations')`
  select m.destination_id from delivery_minute m left join destination_health h using (destination_id)
  where m.outcome in (${TRIED_OUTCOMES}) and m.minute > now() - interval '5 minutes' and m.minute >= coalesce(h.since, '-infinity')
  group by 1
  having coalesce(sum(m.count) filter (where m.outcome <> 'delivered'), 0) > sum(m.count) * ${DEGRADED_SHARE}`;

const findWithFailuresSql = prepared('find_destinations_with_failures')`
  select distinct destination_id from delivery_minute
  where outcome in (${TRIED_OUTCOMES}) and outcome <> 'delivered' and minute > now() - interval '1 day'`;

/** Destinations of which any try has failed within a day. */
export async function findWithFailures(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ destination_id: string }>(findWithFailuresSql);
  return rows.map(({ destination_id: id }) => id);
}

/** The first failure since which most tries of a destination fail, within a second; only those that fail are in it. */
export async function failingSince(destinationIds: readonly string[], tx: Tx): Promise<Map<string, Date>> {
  if (destinationIds.length === 0) return new Map();
  const rows = await tx.query<{ destination_id: string; since: Date | null }>(failingSinceSql, [
    destinationIds,
  ]);
  return new Map(rows.flatMap(({ destination_id: id, since }) => (since === null ? [] : [[id, since]])));
}

/** Destinations that may be failing by what was tried in the last minutes. */
export async function findFailing(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ destination_id: string }>(findFailingSql);
  return rows.map(({ destination_id: id }) => id);
}
