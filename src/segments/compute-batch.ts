import type { Tx } from '../platform/database/database';
import { nextChangeToSql } from './rules/next-change-to-sql';
import { parseRules } from './rules/parse-rules';
import type { Predicate } from './rules/predicate';
import type { Match } from './rules/rule';
import { predicateToSql } from './rules/rule-to-sql';
import { SqlValues } from './rules/sql-values';
import type { SegmentTask } from './segment-tasks';

/** Profiles per transaction: what a processor of events may have to wait for when it meets a batch. */
const BATCH_PROFILES = 10_000;

const readDefinitionSql = 'select match, rules from segment where id = $1 and generation = $2';
/** The last subject of the next batch; null when what is left is less than a batch. */
const readBatchEndSql = `
  select subject as "lastSubject" from profile where subject > $1 order by subject offset ${BATCH_PROFILES - 1} limit 1`;
const moveCursorSql = `update segment_task set cursor = $2, done = done + ${BATCH_PROFILES}, failures = 0 where id = $1`;
const finishComputeSql = `update segment_task set kind = 'switch', cursor = '', done = greatest(done, total), failures = 0 where id = $1`;

/**
 * Computes the next batch of a generation, in the order of subjects.
 *
 * Events of the same people may be processed meanwhile. Their transactions write what they find of this generation,
 * members or not, whatever is there; this statement never overwrites a row. So the later look wins, in any order
 * of commits. See docs/decisions/0051.
 */
export async function computeBatch(task: SegmentTask, tx: Tx): Promise<void> {
  const [definition] = await tx.query<{ match: Match; rules: unknown }>(readDefinitionSql, [
    task.segmentId,
    task.generation,
  ]);
  if (definition === undefined) throw new Error('The definition is gone.');
  const parsed = parseRules(definition.rules, definition.match);
  if (!parsed.ok) throw new Error(`The rules are not valid: ${parsed.errors[0]?.message}`);
  const [end] = await tx.query<{ lastSubject: string }>(readBatchEndSql, [task.cursor]);
  const { text, params } = insertBatch(parsed.predicate, task, end?.lastSubject);
  await tx.query(text, params);
  await (end === undefined
    ? tx.query(finishComputeSql, [task.id])
    : tx.query(moveCursorSql, [task.id, end.lastSubject]));
}

function insertBatch(
  predicate: Predicate,
  { generation, oldGeneration, cursor }: SegmentTask,
  lastSubject: string | undefined,
): { text: string; params: unknown[] } {
  const values = new SqlValues();
  const target = { profile: 'p', now: 'now()', values };
  const test = predicateToSql(predicate, target);
  const nextChange = nextChangeToSql(predicate, target);
  const upTo = lastSubject === undefined ? '' : `and p.subject <= ${values.text(lastSubject)}`;
  const range = `p.subject > ${values.text(cursor)} ${upTo} and p.merged_into is null`;
  // Only where time passes do those who are not in it have to be remembered.
  const found =
    nextChange === undefined
      ? `select p.subject, true as member, null::timestamptz as due_at from profile p where ${range} and ${test}`
      : `select * from (
           select p.subject, ${test} as member, ${nextChange} as due_at from profile p where ${range}
         ) v where member or due_at is not null`;
  // Who stays has entered when they entered.
  const since =
    oldGeneration === null
      ? 'now()'
      : `coalesce((select o.changed_at from segment_member o where f.member and o.subject = f.subject
           and o.generation = ${values.add(oldGeneration, 'integer')} and o.member), now())`;
  return {
    text: `
      insert into segment_member (subject, generation, member, due_at, changed_at)
      select f.subject, ${values.add(generation, 'integer')}, f.member, f.due_at, ${since}
      from (${found}) f order by f.subject
      on conflict (subject, generation) do nothing`,
    params: values.params,
  };
}
