import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import { measureProfiles } from '../../profiles/measure-profiles';

/**
 * What is done to a segment in the background, one step per transaction: `start` waits to begin, `compute` fills a new
 * generation from a range of blocks of the profile table, `switch` makes it the one to read once all ranges are done,
 * `settle` tells who entered and exited by that and removes leftovers, `discard` removes a generation that is not
 * needed. A segment has one `settle` at most: its `oldGeneration` has the people whom destinations were told of.
 */
export type TaskKind = 'start' | 'compute' | 'switch' | 'settle' | 'discard';

/** A row of `segment_task`. The transaction that works on a task has its row locked. */
export interface SegmentTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly segmentId: string;
  readonly generation: number;
  readonly oldGeneration: number | null;
  readonly nextBlock: number;
  readonly endBlock: number;
  /** The file of the profile table that the blocks are counted in. */
  readonly filenode: number;
  /** Whether events have been met that write rows of the generation too. */
  readonly contended: boolean;
  readonly cursor: string;
  readonly failures: number;
}

/** Ranges of blocks of one computation: as many workers can share it. */
const PARTS = 4;
const MIN_PART_BLOCKS = 1_000;

/**
 * Definitions that are computed at the same time, by all processes together (one more where two start at once). Every
 * event is evaluated for each of them and its verdict written: with a thousand at once that takes 23 ms per event.
 */
const MAX_COMPUTING = 4;

const claimTaskSql = prepared('segment_claim_task')`
    select id, kind, segment_id as "segmentId", generation, old_generation as "oldGeneration", failures,
      next_block as "nextBlock", end_block as "endBlock", filenode, contended, cursor
    from segment_task t
    where run_after <= statement_timestamp() and ((select $1::uuid) is null or segment_id = (select $1::uuid)) and kind = any(${unplannedList('$2', 'text')})
      and (kind <> 'start' or (select count(*) from segment_task where kind = 'switch') < ${MAX_COMPUTING})
      and (kind <> 'switch' or not exists (
        select 1 from segment_task c where c.segment_id = t.segment_id and c.generation = t.generation and c.kind = 'compute'))
    order by run_after, id
    limit 1
    for update skip locked`;

const addComputeSql = `
  with profiles as (
    select $4::integer as blocks, $5::oid as filenode
  ), switching as (
    insert into segment_task (kind, segment_id, generation, old_generation, total_blocks)
    select 'switch', $1::uuid, $2::integer, $3::integer, blocks from profiles
  )
  insert into segment_task (kind, segment_id, generation, old_generation, next_block, end_block, filenode)
  select 'compute', $1::uuid, $2::integer, $3::integer, part * size, least((part + 1) * size, blocks), filenode
  from profiles, lateral (select greatest(ceil(blocks / ${PARTS}::numeric), ${MIN_PART_BLOCKS})::integer as size) s,
    generate_series(0, ${PARTS - 1}) part
  where part * size < blocks`;

const addStartSql = `
  insert into segment_task (kind, segment_id, generation, old_generation) values ('start', $1, $2, $3)`;

const addDiscardSql = `
  insert into segment_task (kind, segment_id, generation) select 'discard', $1, unnest($2::integer[])`;

const finishSql = 'delete from segment_task where id = $1';
const dropBegunSql = `
  delete from segment_task where segment_id = $1 and generation = $2 and kind in ('compute', 'switch')`;

const dropTasksSql = `
  delete from segment_task where segment_id = $1 and kind = any($2::text[])
  returning kind, generation, old_generation as "oldGeneration"`;

/** Takes a task that is due for the rest of the transaction, if there is one that no other process works on. */
export async function claimTask(
  tx: Tx,
  kinds: readonly TaskKind[],
  segmentId?: string,
): Promise<SegmentTask | undefined> {
  const [task] = await tx.query<SegmentTask>(claimTaskSql, [segmentId ?? null, kinds]);
  return task;
}

/** A definition to be computed, and the generation that is read until then. */
export interface NewDefinition {
  readonly id: string;
  readonly generation: number;
  readonly liveGeneration: number | null;
}

/** Has a new definition of a segment computed when its turn comes. */
export async function addStart(segment: NewDefinition, tx: Tx): Promise<void> {
  await tx.query(addStartSql, [segment.id, segment.generation, segment.liveGeneration]);
}

/** Has a new definition of a segment computed from now on: with this it is one that events are evaluated for. */
export async function addCompute(segment: NewDefinition, tx: Tx): Promise<void> {
  // The size is read when no transaction is under way that does not know the segment; see computeBlocks.
  const { blocks, filenode } = await measureProfiles(tx);
  await tx.query(addComputeSql, [segment.id, segment.generation, segment.liveGeneration, blocks, filenode]);
}

/** Has the members of generations removed that are not read any more. */
export async function addDiscards(segmentId: string, generations: readonly number[], tx: Tx): Promise<void> {
  if (generations.length > 0) await tx.query(addDiscardSql, [segmentId, generations]);
}

/** Nothing is left to do of a task. */
export async function finishTask(taskId: string, tx: Tx): Promise<void> {
  await tx.query(finishSql, [taskId]);
}

/** Gives up a computation that has begun; what it has written stays. */
export async function dropBegun(segmentId: string, generation: number, tx: Tx): Promise<void> {
  await tx.query(dropBegunSql, [segmentId, generation]);
}

const COMPUTING: readonly TaskKind[] = ['start', 'compute', 'switch'];

/** Gives up computing the newest definition of a segment. What the one before owes to destinations is still told. */
export async function dropComputation(segmentId: string, tx: Tx): Promise<void> {
  await dropTasks(segmentId, COMPUTING, tx);
}

/** Gives up everything that is under way for a segment. */
export async function dropAllTasks(segmentId: string, tx: Tx): Promise<void> {
  await dropTasks(segmentId, [...COMPUTING, 'settle'], tx);
}

/** Also has removed what the tasks leave behind. */
async function dropTasks(segmentId: string, kinds: readonly TaskKind[], tx: Tx): Promise<void> {
  const dropped = await tx.query<{ kind: TaskKind; generation: number; oldGeneration: number | null }>(
    dropTasksSql,
    [segmentId, kinds],
  );
  const useless = dropped.map(({ kind, generation, oldGeneration }) =>
    kind === 'settle' ? oldGeneration : generation,
  );
  await addDiscards(segmentId, [...new Set(useless.filter((generation) => generation !== null))], tx);
}
