import type { Tx } from '../../platform/database/database';
import type { SegmentTask } from './segment-tasks';

const STEP_MEMBERS = 5_000;
/** How long to leave rows alone that others have locked. */
const RETRY_AFTER_MS = 50;

/**
 * Members first, then the others: each has an index by generation. Who merges people removes theirs at the same time:
 * neither waits for the other with rows in hand.
 */
const discardSql = `
  with member as (
    select subject from segment_member where generation = $1 and member limit ${STEP_MEMBERS} for update skip locked
  ), other as (
    select subject from segment_member where generation = $1 and not member limit ${STEP_MEMBERS} for update skip locked
  )
  delete from segment_member m using (select subject from member union all select subject from other) u
  where m.subject = u.subject and m.generation = $1
  returning m.subject`;
const finishSql = `
  delete from segment_task where id = $1 and not exists (select from segment_member where generation = $2)`;
const waitSql = `
  update segment_task set run_after = statement_timestamp() + interval '${RETRY_AFTER_MS} milliseconds' where id = $1`;

/** Removes the next rows of a generation that is not read or written any more. */
export async function discardMembers({ id, generation }: SegmentTask, tx: Tx): Promise<void> {
  const removed = await tx.query(discardSql, [generation]);
  if (removed.length > 0) return;
  await tx.query(waitSql, [id]);
  await tx.query(finishSql, [id, generation]);
}
