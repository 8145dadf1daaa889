import type { Tx } from '../../platform/database/database';
import { finishTask, type SegmentTask } from './segment-tasks';

const STEP_MEMBERS = 5_000;

/** Members first, then the others: each has an index by generation. */
const discardSql = `
  with useless as (
    (select subject from segment_member where generation = $1 and member limit ${STEP_MEMBERS})
    union all
    (select subject from segment_member where generation = $1 and not member limit ${STEP_MEMBERS})
  )
  delete from segment_member m using useless u where m.subject = u.subject and m.generation = $1
  returning m.subject`;

/** Removes the next rows of a generation that is not read or written any more. */
export async function discardMembers(task: SegmentTask, tx: Tx): Promise<void> {
  const removed = await tx.query(discardSql, [task.generation]);
  if (removed.length === 0) await finishTask(task.id, tx);
}
