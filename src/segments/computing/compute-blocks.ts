import type { Tx } from '../../platform/database/database';
import { isUniqueViolation } from '../../platform/database/failure';
import { measureProfiles } from '../../profiles/measure-profiles';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { JoinedMeasures } from '../rules/sql/joined-measures';
import { nextChangeToSql } from '../rules/sql/next-change-to-sql';
import { parseBoundedRules } from '../rules/parsing/parse-bounded-rules';
import { type Predicate, countStoredEventRules } from '../rules/predicate';
import type { Match } from '../../language/operators';
import { predicateToSql } from '../rules/sql/rule-to-sql';
import { SqlValues } from '../../language/sql-values';
import { addCompute, dropBegun, finishTask, type SegmentTask } from './segment-tasks';
import type { StepLengths } from './step-lengths';

/**
 * Blocks of the profile table per transaction, 8 KB each, at most: some thirty thousand profiles, a fifth of a second.
 * An erasure may have to wait so long, and a processor of events when it meets a step.
 */
const STEP_BLOCKS = 2_000;
/** The first step of rules that look at the stored events of each person: nobody knows how many those are. */
const FIRST_MEASURED_BLOCKS = 20;

const readDefinitionSql = 'select match, rules from segment where id = $1 and generation = $2';
const moveOnSql = 'update segment_task set next_block = $2, contended = $3, failures = 0 where id = $1';
/** A step that is lost in a crash of PostgreSQL is lost together with the note that it was done. */
const commitLaterSql = 'set local synchronous_commit = off';
/** For rows that events have written first. It makes the insert take twice as long, rows or no rows. */
const keepTheirsSql = ' on conflict (subject, generation) do nothing';

/**
 * Computes a range of blocks of the profile table.
 *
 * Events of the same people may be processed at the same time. They write what they find of this generation for each
 * profile they touch, member or not, whatever is there; this statement never overwrites a row. So the later look wins,
 * in any order of commits, and profiles that are new, or that an update moves from one block to another, need not be
 * met here. See docs/decisions/0051.
 * @param retentionDays for which events are kept
 */
export async function computeBlocks(
  task: SegmentTask,
  retentionDays: number,
  lengths: StepLengths,
  tx: Tx,
): Promise<void> {
  const [definition] = await tx.query<{ match: Match; rules: unknown }>(readDefinitionSql, [
    task.segmentId,
    task.generation,
  ]);
  if (definition === undefined) throw new Error('The definition is gone.');
  const parsed = parseBoundedRules(definition, await readNamedMeasures(tx), retentionDays);
  if (!parsed.ok) throw new Error(`The rules are not valid: ${parsed.errors[0]?.message}`);
  if (await hasMoved(task, tx)) return computeAnew(task, tx);
  await tx.query(commitLaterSql);
  const { predicate } = parsed;
  const first = countStoredEventRules(predicate) === 0 ? STEP_BLOCKS : FIRST_MEASURED_BLOCKS;
  const startedAt = performance.now();
  const endBlock = Math.min(
    task.nextBlock + blocksOfStep(task, lengths.lengthOf(task.generation, first)),
    task.endBlock,
  );
  const blocks = insertBlocks(predicate, task, endBlock);
  const contended = task.contended || !(await insertAlone(blocks, tx));
  if (contended) await tx.query(blocks.text + keepTheirsSql, blocks.params);
  const step = { length: endBlock - task.nextBlock, tookMs: performance.now() - startedAt };
  lengths.note(task.generation, step, STEP_BLOCKS);
  // In this moment: what was just computed may have been blocks of either.
  if (await hasMoved(task, tx)) return computeAnew(task, tx);
  await (endBlock === task.endBlock
    ? finishTask(task.id, tx)
    : tx.query(moveOnSql, [task.id, endBlock, contended]));
}

/** Fewer after a failure: it may have been that the step took longer than a statement may. */
function blocksOfStep({ failures }: SegmentTask, length: number): number {
  return Math.max(1, Math.floor(length / 4 ** failures));
}

/** VACUUM FULL has written the table anew, or Citus has moved it to another node: the blocks are other ones now. */
async function hasMoved(task: SegmentTask, tx: Tx): Promise<boolean> {
  return (await measureProfiles(tx)).filenode !== task.filenode;
}

async function computeAnew({ segmentId, generation, oldGeneration }: SegmentTask, tx: Tx): Promise<void> {
  await dropBegun(segmentId, generation, tx);
  await addCompute({ id: segmentId, generation, liveGeneration: oldGeneration }, tx);
}

/**
 * Inserts blocks as if no other transaction wrote rows of the generation. Returns false, and inserts nothing, where one
 * does.
 */
async function insertAlone({ text, params }: BoundStatement, tx: Tx): Promise<boolean> {
  await tx.query('savepoint segment_blocks');
  try {
    await tx.query(text, params);
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await tx.query('rollback to savepoint segment_blocks');
    return false;
  }
}

interface BoundStatement {
  readonly text: string;
  readonly params: unknown[];
}

function insertBlocks(
  predicate: Predicate,
  { generation, oldGeneration, nextBlock }: SegmentTask,
  endBlock: number,
): BoundStatement {
  const values = new SqlValues();
  const measures = new JoinedMeasures();
  const target = { profile: 'p', now: 'now()', values, measures };
  const test = predicateToSql(predicate, target);
  const nextChange = nextChangeToSql(predicate, target);
  const joins = measures.fromSql();
  // Block numbers are our own integers.
  const range = `p.ctid >= '(${nextBlock},0)'::tid and p.ctid < '(${endBlock},0)'::tid and p.merged_into is null`;
  // Only where time passes do those who are not in it have to be remembered.
  const found =
    nextChange === undefined
      ? `select p.subject, true as member, null::timestamptz as due_at from profile p${joins} where ${range} and ${test}`
      : `select * from (
           select p.subject, ${test} as member, ${nextChange} as due_at from profile p${joins} where ${range}
         ) v where member or due_at is not null`;
  // A person who stays keeps the time of entry; one who is not in it may have been out of it for ever.
  const since =
    oldGeneration === null
      ? 'now()'
      : `coalesce((select o.changed_at from segment_member o where f.member and o.subject = f.subject
           and o.generation = ${values.add(oldGeneration, 'integer')} and o.member), now())`;
  return {
    text: `
      with found as (
        select f.subject, ${values.add(generation, 'integer')} as generation, f.member, f.due_at,
          case when f.member then ${since} else '-infinity' end as changed_at
        from (${found}) f order by f.subject
      )
      insert into segment_member (subject, generation, member, due_at, changed_at) select * from found`,
    params: values.params,
  };
}
