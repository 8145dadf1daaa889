import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { ActiveGeneration } from '../definitions/active-generation';
import { subtractGoneSql } from './member-counts';

const forgetSql = prepared('segment_forget_merged')`
    with gone as (
      delete from segment_member where subject = any($1::text[]) and not (generation = any($2::integer[]))
      returning subject, generation, member
    ) ${subtractGoneSql}`;
const keepOutSql = prepared('segment_keep_out_merged')`
    insert into segment_member (subject, generation, member, changed_at)
    select subject, generation, false, now() from unnest($1::text[]) subject, unnest($2::integer[]) generation
    order by subject, generation
    on conflict (subject, generation) do update
    set member = false, due_at = null, changed_at = excluded.changed_at`;

/**
 * Takes profiles that were folded into others out of all segments: no person is addressed by them any more, so
 * no exit is told. Where a generation is being computed, a row says so: the computation may know the old profile.
 */
export async function forgetMerged(
  subjects: readonly Subject[],
  generations: readonly ActiveGeneration[],
  tx: Tx,
): Promise<void> {
  const computing = generations
    .filter(({ phase }) => phase === 'computing')
    .map(({ generation }) => generation);
  await tx.query(forgetSql, [subjects, computing]);
  if (computing.length > 0) await tx.query(keepOutSql, [subjects, computing]);
}
