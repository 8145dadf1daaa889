import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { TRIED_OUTCOMES } from './failing-since';

/** Fewer failures say nothing yet. */
const MIN_FAILURES = 10;

// The newest minute has to be bad, too, or a code that was mended a moment ago would be taken for one that fails. The
// oldest one is five minutes old: it was bad for so long, or good before.
const findUntransformedSql = prepared('find_untransformed')`
  with minutes as (
    select destination_id, m.minute, sum(m.count) filter (where m.outcome in (${TRIED_OUTCOMES}, 'unwanted')) as calls,
      coalesce(sum(m.count) filter (where m.outcome = 'untransformed'), 0) as failures
    from delivery_minute m left join destination_health h using (destination_id)
    where m.minute > now() - interval '7 minutes' and m.minute >= coalesce(h.switched_at, '-infinity')
      and m.destination_id in (
        select destination_id from delivery_minute where outcome = 'untransformed' and minute > now() - interval '7 minutes')
    group by 1, 2
  )
  select destination_id as "destinationId" from minutes
  group by 1
  having sum(failures) >= ${MIN_FAILURES} and sum(failures) > sum(calls) * 0.5
    and min(minute) <= now() - interval '5 minutes'
    and (array_agg(failures > calls * 0.5 order by minute desc))[1]`;

/** The destinations whose transformation has failed for more than half of their events for five minutes. */
export async function findUntransformed(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ destinationId: string }>(findUntransformedSql);
  return rows.map(({ destinationId }) => destinationId);
}
