import type { Tx } from '../platform/database/database';
import { changeRevision } from './revision';
import type { SegmentTask } from './segment-tasks';

const lockSegmentSql = 'select id from segment where id = $1 and generation = $2 for update skip locked';
const switchSql = `
  update segment set live_generation = generation, live_match = null, live_rules = null, state = 'live', failure = null
  where id = $1`;
const settleNextSql = `
  update segment_task set kind = 'settle', cursor = '', failures = 0, switched_at = clock_timestamp() where id = $1`;

/** Makes the computed generation the one that is read, between any two evaluations. */
export async function switchGeneration(task: SegmentTask, tx: Tx): Promise<void> {
  const locked = await tx.query(lockSegmentSql, [task.segmentId, task.generation]);
  // Somebody changes the segment and will want this task's row: let them go first.
  if (locked.length === 0) return;
  await changeRevision(tx);
  await tx.query(switchSql, [task.segmentId]);
  await tx.query(settleNextSql, [task.id]);
}
