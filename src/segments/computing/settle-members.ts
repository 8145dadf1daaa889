import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { lockIdleSubjects } from '../../profiles/lock-idle-profiles';
import { countGeneration } from '../membership/member-counts';
import type { MembershipChange } from '../membership/person-change';
import { changeRevision } from '../definitions/revision';
import { addDiscards, finishTask, type SegmentTask } from './segment-tasks';

const STEP_MEMBERS = 1_000;
/** How long to leave people alone whose profiles are locked. */
const RETRY_AFTER_MS = 50;

const readNameSql = 'select name from segment where id = $1';
/**
 * Of the people whom destinations were told of ($1) or who are members ($2), next in order: the last, and who moved.
 */
const findMovedSql = `
  with next as (
    select subject from (
      (select subject from segment_member where generation = $1 and member and subject > $3
        order by subject limit ${STEP_MEMBERS})
      union
      (select subject from segment_member where generation = $2 and member and subject > $3
        order by subject limit ${STEP_MEMBERS})
    ) either order by subject limit ${STEP_MEMBERS}
  )
  select max(next.subject) as last, coalesce(array_agg(next.subject) filter (where
    (told.subject is null or found.subject is null)
    and exists (select 1 from profile p where p.subject = next.subject and p.merged_into is null)), '{}') as moved
  from next
  left join segment_member told on told.subject = next.subject and told.generation = $1 and told.member
  left join segment_member found on found.subject = next.subject and found.generation = $2 and found.member`;
/** Under the locks, in a statement of its own: sees what was committed before them. */
const tellSql = `
  with told as (
    select asked.subject, found.subject is not null as member
    from unnest($3::text[]) as asked (subject)
    left join segment_member told on told.subject = asked.subject and told.generation = $1 and told.member
    left join segment_member found on found.subject = asked.subject and found.generation = $2 and found.member
    where (told.subject is null) <> (found.subject is null)
  ), exited as (
    delete from segment_member m using told where not told.member and m.subject = told.subject and m.generation = $1
  ), entered as (
    insert into segment_member (subject, generation, member, changed_at)
    select subject, $1::integer, true, now() from told where member order by subject
    on conflict (subject, generation) do update set member = true
  )
  select subject, member, (select clock_timestamp()) as at from told`;
const removeLeftoversSql = `
  with leftover as (
    select subject from segment_member where generation = $1 and not member and due_at is null
    limit ${STEP_MEMBERS} for update skip locked
  )
  delete from segment_member m using leftover l where m.subject = l.subject and m.generation = $1
  returning m.subject`;
const moveOnSql = 'update segment_task set cursor = $2, failures = 0 where id = $1';
const waitSql = `
  update segment_task set failures = 0, run_after = statement_timestamp() + interval '${RETRY_AFTER_MS} milliseconds'
  where id = $1`;

interface Told {
  readonly subject: Subject;
  readonly member: boolean;
  readonly at: Date;
}

/**
 * After a switch: returns who entered and exited by it, the next few, and removes rows that were only needed while the
 * generation was computed.
 *
 * What destinations were told of is a generation of members of its own until all of them know the new one. Events and
 * windows compare with it and keep it up to date too, each with the profile locked, so a move is told of once, by
 * whichever comes first.
 */
export async function settleMembers(task: SegmentTask, tx: Tx): Promise<MembershipChange[]> {
  const told = task.oldGeneration === null ? undefined : await tellNext(task, task.oldGeneration, tx);
  const removed = await tx.query(removeLeftoversSql, [task.generation]);
  if (told === undefined && removed.length === 0) await finish(task, tx);
  return told ?? [];
}

/** Undefined when everybody has been looked at. */
async function tellNext(
  { id, segmentId, generation, cursor }: SegmentTask,
  toldGeneration: number,
  tx: Tx,
): Promise<MembershipChange[] | undefined> {
  const [next] = await tx.query<{ last: string | null; moved: Subject[] }>(findMovedSql, [
    toldGeneration,
    generation,
    cursor,
  ]);
  if (next === undefined || next.last === null) return undefined;
  const locked = await lockIdleSubjects(next.moved, tx);
  const told = await tx.query<Told>(tellSql, [toldGeneration, generation, locked]);
  // Locked people are being evaluated, not necessarily for this segment: they are looked at again in a moment.
  if (locked.length < next.moved.length) await tx.query(waitSql, [id]);
  else await tx.query(moveOnSql, [id, next.last]);
  const [segment] = await tx.query<{ name: string }>(readNameSql, [segmentId]);
  return told.map(({ subject, member, at }) => ({
    segmentId,
    segmentName: segment?.name ?? '',
    subject,
    change: member ? 'entered' : 'exited',
    at: at.toISOString(),
  }));
}

async function finish({ id, segmentId, generation, oldGeneration }: SegmentTask, tx: Tx): Promise<void> {
  await countGeneration(generation, tx);
  if (oldGeneration !== null) {
    // Alone: an evaluation under way would compare with what is about to be discarded.
    await changeRevision(tx);
    await addDiscards(segmentId, [oldGeneration], tx);
  }
  await finishTask(id, tx);
}
