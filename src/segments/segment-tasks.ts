import type { Tx } from '../platform/database/database';

/**
 * What is done to a segment in the background, one batch per transaction:
 * `compute` fills a new generation, `switch` makes it the one to read, `settle` tells who entered and exited by
 * that and removes leftovers, `discard` removes a generation that nobody needs.
 */
export type TaskKind = 'compute' | 'switch' | 'settle' | 'discard';

/** A row of `segment_task`. The transaction that works on a task has its row locked. */
export interface SegmentTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly segmentId: string;
  readonly generation: number;
  readonly oldGeneration: number | null;
  readonly cursor: string;
  readonly failures: number;
  /** With microseconds, as PostgreSQL writes it; null before the switch. */
  readonly switchedAt: string | null;
}

const claimTaskSql = {
  name: 'segment-claim-task',
  text: `
    select id, kind, segment_id as "segmentId", generation, old_generation as "oldGeneration", cursor, failures,
      switched_at::text as "switchedAt"
    from segment_task
    where run_after <= clock_timestamp() and ($1::uuid is null or segment_id = $1)
      and kind = any($2::text[])
    order by run_after, id
    limit 1
    for update skip locked`,
};

const addComputeSql = `
  insert into segment_task (kind, segment_id, generation, old_generation, total)
  values ('compute', $1, $2, $3, greatest((select reltuples from pg_class where oid = 'profile'::regclass), 0))`;

const addDiscardSql = `
  insert into segment_task (kind, segment_id, generation) select 'discard', $1, unnest($2::integer[])`;

const dropTasksSql = `
  delete from segment_task where segment_id = $1 and kind <> 'discard'
  returning kind, generation, old_generation as "oldGeneration"`;

/** Takes a task that is due for the rest of the transaction, if there is one that nobody works on. */
export async function claimTask(
  tx: Tx,
  kinds: readonly TaskKind[],
  segmentId?: string,
): Promise<SegmentTask | undefined> {
  const [task] = await tx.query<SegmentTask & Record<string, unknown>>(claimTaskSql, [
    segmentId ?? null,
    kinds,
  ]);
  return task;
}

/** Has a new definition of a segment computed. */
export async function addCompute(
  segment: { id: string; generation: number; liveGeneration: number | null },
  tx: Tx,
): Promise<void> {
  await tx.query(addComputeSql, [segment.id, segment.generation, segment.liveGeneration]);
}

/** Has the members of generations that nobody reads any more removed. */
export async function addDiscards(segmentId: string, generations: readonly number[], tx: Tx): Promise<void> {
  if (generations.length > 0) await tx.query(addDiscardSql, [segmentId, generations]);
}

/** Gives up what is under way for a segment, and has removed what that leaves behind. */
export async function dropTasks(segmentId: string, tx: Tx): Promise<void> {
  const dropped = await tx.query<{ kind: TaskKind; generation: number; oldGeneration: number | null }>(
    dropTasksSql,
    [segmentId],
  );
  const useless = dropped.map(({ kind, generation, oldGeneration }) =>
    kind === 'settle' ? oldGeneration : generation,
  );
  await addDiscards(
    segmentId,
    useless.filter((generation) => generation !== null),
    tx,
  );
}
