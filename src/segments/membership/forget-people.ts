import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { forgetErasedValues } from '../computed-traits/forget-values';
import { subtractGoneSql } from './member-counts';

const forgetSql = `
  with gone as (
    delete from segment_member where subject = any($1::text[]) returning subject, generation, member
  ), counted as (${subtractGoneSql})
  select count(*)::integer as forgotten from gone`;

/** These people are not evaluated any more. No other transaction works on these rows. */
const forgetEvaluationsSql = `
  update group_evaluation set subjects = array(select unnest(subjects) except select unnest($1::text[]))
  where subjects && $1::text[]`;

/** What segments and computed traits kept of people. */
export interface ForgottenPeople {
  /** Notes that a person is not in a segment included. */
  readonly memberships: number;
  readonly computedValues: number;
}

/**
 * Takes people who are erased out of all segments, and removes their values of computed traits. The caller has their
 * profiles locked, and keeps the upkeep of segments out (`keepUpkeepOut`).
 */
export async function forgetPeople(subjects: readonly Subject[], tx: Tx): Promise<ForgottenPeople> {
  const [row] = await tx.query<{ forgotten: number }>(forgetSql, [subjects]);
  await tx.query(forgetEvaluationsSql, [subjects]);
  return { memberships: row?.forgotten ?? 0, computedValues: await forgetErasedValues(subjects, tx) };
}
