import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { countRows } from '../../platform/database/statements/count-rows';
import { subtractGoneSql } from './member-counts';

const forgetMembersSql = `
  with gone as (
    delete from segment_member where subject = any($1::text[]) returning subject, generation, member
  ), counted as (${subtractGoneSql})
  select count(*)::integer as forgotten from gone join segment s on s.live_generation = gone.generation where gone.member`;

/** These people are not evaluated any more. No other transaction works on these rows. */
const forgetEvaluationsSql = `
  update group_evaluation set subjects = array(select unnest(subjects) except select unnest($1::text[]))
  where subjects && $1::text[]`;

/**
 * Takes people who are erased out of all segments. The caller has their profiles locked, and keeps the upkeep of
 * segments out (`keepUpkeepOut`).
 * @returns of how many segments they were members, as an export lists them: there are more rows, such as notes that
 *   somebody is not in a segment
 */
export async function forgetMembers(subjects: readonly Subject[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ forgotten: number }>(forgetMembersSql, [subjects]);
  return row?.forgotten ?? 0;
}

/** Takes people who are erased out of what is left to evaluate. The caller keeps the upkeep of segments out. */
export function forgetEvaluations(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows(forgetEvaluationsSql, [subjects], tx);
}
