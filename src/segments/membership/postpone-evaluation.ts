import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { postponeValues } from '../computed-traits/postpone-values';
import type { PersonWork } from './update-people';

// Who is in none of them has a row for this alone.
const postponeMembersSql = prepared('segment_postpone_members')`
  insert into segment_member as m (subject, generation, member, due_at, changed_at)
  select subject, generation, false, $3::timestamptz, '-infinity'
  from unnest($1::text[], $2::integer[]) as w (subject, generation) order by subject, generation
  on conflict (subject, generation) do update set due_at = excluded.due_at
  where m.due_at is null or m.due_at > excluded.due_at`;

/**
 * Makes definitions due for people, so that the upkeep evaluates them within seconds.
 * @param now PostgreSQL's time, as it writes it.
 */
export async function postponeEvaluation(work: readonly PersonWork[], now: string, tx: Tx): Promise<void> {
  const members = work.flatMap(({ facts: { subject }, generations }) =>
    generations.map(({ generation }) => ({ subject, generation })),
  );
  if (members.length > 0) {
    const columns = [members.map(({ subject }) => subject), members.map(({ generation }) => generation)];
    await tx.query(postponeMembersSql, [...columns, now]);
  }
  await postponeValues(work, now, tx);
}
