import type { Tx } from '../../platform/database/database';
import { lockDependents, recomputeDependents } from './recompute-dependents';
import { changeRevision, limitLockWaits } from '../definitions/revision';
import { addDiscards, finishTask, type SegmentTask } from './segment-tasks';

const lockSegmentSql = `
  select live_generation as "liveGeneration", announce_first as "announceFirst"
  from segment where id = $1 and generation = $2 for update skip locked`;
/** Waits for a step of it at most. Before the lock of all evaluations, because a step waits for some of them. */
const lockSettlementSql = `
  select id, old_generation as "toldGeneration" from segment_task where segment_id = $1 and kind = 'settle' for update`;
const nobodyToldSql = `select nextval('segment_generation_seq')::integer as generation`;
const switchSql = `
  update segment set live_generation = generation, live_match = null, live_rules = null, state = 'live', failure = null
  where id = $1`;
const settleNextSql = `
  update segment_task set kind = 'settle', cursor = '', failures = 0, old_generation = $2 where id = $1`;

interface Switching {
  readonly liveGeneration: number | null;
  readonly announceFirst: boolean;
}

interface Settlement {
  readonly id: string;
  readonly toldGeneration: number | null;
}

/**
 * Makes the computed generation the one that is read, between any two evaluations. What destinations were told stays
 * what it was: the members of the generation before, or, where its own switch is not settled yet, of that from which it
 * is being settled.
 */
export async function switchGeneration(task: SegmentTask, tx: Tx): Promise<void> {
  const { id, segmentId, generation } = task;
  const [segment] = await tx.query<Switching>(lockSegmentSql, [segmentId, generation]);
  // A change of the segment is under way and will want this task's row: it goes first.
  if (segment === undefined) return;
  const [unsettled] = await tx.query<Settlement>(lockSettlementSql, [segmentId]);
  await limitLockWaits(tx);
  const dependents = await lockDependents(segmentId, tx);
  await changeRevision(tx);
  await tx.query(switchSql, [segmentId]);
  await recomputeDependents(segmentId, dependents, tx);
  if (unsettled !== undefined) await finishTask(unsettled.id, tx);
  const owed = unsettled?.toldGeneration ?? null;
  if (owed !== null && segment.liveGeneration !== null) {
    await addDiscards(segmentId, [segment.liveGeneration], tx);
  }
  await tx.query(settleNextSql, [id, owed ?? (await toldBefore(segment, tx))]);
}

/** Null where the first members of a segment are not told of: they count as if they had been. */
async function toldBefore({ liveGeneration, announceFirst }: Switching, tx: Tx): Promise<number | null> {
  if (liveGeneration !== null || !announceFirst) return liveGeneration;
  const [nobody] = await tx.query<{ generation: number }>(nobodyToldSql);
  return nobody?.generation ?? null;
}
