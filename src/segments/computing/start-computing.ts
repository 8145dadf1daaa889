import type { Tx } from '../../platform/database/database';
import { changeRevision } from '../definitions/revision';
import { addCompute, finishTask, type SegmentTask } from './segment-tasks';

const lockSegmentSql = 'select id from segment where id = $1 and generation = $2 for update skip locked';

/**
 * Begins to compute a definition, between any two evaluations: from here on the processing of events writes its
 * verdicts. Nothing was written of it before, so nothing that happened while it waited can be missed.
 */
export async function startComputing(task: SegmentTask, tx: Tx): Promise<void> {
  const { id, segmentId, generation, oldGeneration } = task;
  const locked = await tx.query(lockSegmentSql, [segmentId, generation]);
  // A change of the segment is under way and will want this task's row: it goes first.
  if (locked.length === 0) return;
  await changeRevision(tx);
  await finishTask(id, tx);
  await addCompute({ id: segmentId, generation, liveGeneration: oldGeneration }, tx);
}
