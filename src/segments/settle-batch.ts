import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { countGeneration } from './member-counts';
import type { MembershipChange } from './membership-change';
import { markRevision } from './revision';
import { addDiscards, type SegmentTask } from './segment-tasks';

const BATCH_MEMBERS = 1_000;

const readSegmentSql = `
  select name, announce_first as "announceFirst", clock_timestamp() as now from segment where id = $1`;
/** The people of either generation, next in order, and in which of them they are. */
const compareGenerationsSql = `
  with next as (
    select subject from (
      (select subject from segment_member where generation = $1 and member and subject > $3
        order by subject limit ${BATCH_MEMBERS})
      union
      (select subject from segment_member where generation = $2 and member and subject > $3
        order by subject limit ${BATCH_MEMBERS})
    ) either order by subject limit ${BATCH_MEMBERS}
  )
  select next.subject, coalesce(o.member, false) as was, coalesce(n.member, false) as is,
    coalesce(n.changed_at >= $4::timestamptz, false) as "movedSince"
  from next
  left join segment_member o on o.subject = next.subject and o.generation = $1
  left join segment_member n on n.subject = next.subject and n.generation = $2
  order by next.subject`;
const moveCursorSql = 'update segment_task set cursor = $2, failures = 0 where id = $1';
const removeLeftoversSql = `
  with leftover as (
    select subject from segment_member where generation = $1 and not member and due_at is null
    limit ${BATCH_MEMBERS} for update skip locked
  )
  delete from segment_member m using leftover l where m.subject = l.subject and m.generation = $1
  returning m.subject`;
const finishSql = 'delete from segment_task where id = $1';

interface Comparison {
  readonly subject: Subject;
  readonly was: boolean;
  readonly is: boolean;
  /** Moved after the switch: whoever did that has told of it. */
  readonly movedSince: boolean;
}

/**
 * After the switch to another generation: answers who entered and exited by it, next batch, and removes rows
 * that were only needed while the generation was computed.
 */
export async function settleBatch(task: SegmentTask, tx: Tx): Promise<MembershipChange[]> {
  const [segment] = await tx.query<{ name: string; announceFirst: boolean; now: Date }>(readSegmentSql, [
    task.segmentId,
  ]);
  if (segment === undefined) throw new Error('The segment is gone.');
  const announced = task.oldGeneration !== null || segment.announceFirst;
  const compared = announced
    ? await tx.query<Comparison & Record<string, unknown>>(compareGenerationsSql, [
        task.oldGeneration,
        task.generation,
        task.cursor,
        task.switchedAt,
      ])
    : [];
  const removed = await tx.query(removeLeftoversSql, [task.generation]);
  const last = compared.at(-1);
  if (last !== undefined) await tx.query(moveCursorSql, [task.id, last.subject]);
  else if (removed.length === 0) await finish(task, tx);
  return compared
    .filter(({ was, is, movedSince }) => was !== is && !movedSince)
    .map(({ subject, is }) => ({
      segmentId: task.segmentId,
      segmentName: segment.name,
      subject,
      change: is ? 'entered' : 'exited',
      at: segment.now.toISOString(),
    }));
}

async function finish(task: SegmentTask, tx: Tx): Promise<void> {
  if (task.oldGeneration !== null) await addDiscards(task.segmentId, [task.oldGeneration], tx);
  await countGeneration(task.generation, tx);
  await tx.query(finishSql, [task.id]);
  await markRevision(tx);
}
