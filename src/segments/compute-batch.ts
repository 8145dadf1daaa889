import type { Tx } from '../platform/database/database';
import { parseRules } from './rules/parse-rules';
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
  const values = new SqlValues();
  const predicate = predicateToSql(parsed.predicate, { profile: 'p', now: 'now()', values });
  const upTo = end === undefined ? '' : `and p.subject <= ${values.text(end.lastSubject)}`;
  await tx.query(
    `insert into segment_member (subject, generation, member, changed_at)
     select p.subject, ${values.add(task.generation, 'integer')}, true,
       coalesce((select o.changed_at from segment_member o where o.subject = p.subject
         and o.generation = ${values.add(task.oldGeneration, 'integer')} and o.member), now())
     from profile p
     where p.subject > ${values.text(task.cursor)} ${upTo} and p.merged_into is null and ${predicate}
     order by p.subject
     on conflict (subject, generation) do nothing`,
    values.params,
  );
  await (end === undefined
    ? tx.query(finishComputeSql, [task.id])
    : tx.query(moveCursorSql, [task.id, end.lastSubject]));
}
