import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { factsOf } from '../../profiles/state/profile-row';
import { forgetDueValues, readDueTraits } from '../computed-traits/due-values';
import type { ActiveGeneration } from '../definitions/active-generation';
import type { ActiveSegments } from '../definitions/active-segments';
import { lockIdleProfiles } from '../../profiles/lock-idle-profiles';
import type { PersonChange } from './person-change';
import { portionOf } from './divide-work';
import { updatePeople } from './update-people';

/** People per transaction. */
const TRANSACTION_PEOPLE = 500;

// Not clock_timestamp(), by which PostgreSQL looks up nothing in an index.
const readDueSubjectsSql = prepared('segment_read_due')`
    select distinct subject from (
      (select subject from segment_member where due_at <= statement_timestamp() order by due_at limit ${TRANSACTION_PEOPLE})
      union all
      (select subject from computed_value where due_at <= statement_timestamp() order by due_at limit ${TRANSACTION_PEOPLE})
    ) due`;
const readDueGenerationsSql = prepared('segment_read_due_generations')`
    select subject, generation from segment_member
    where subject = any($1::text[]) and due_at <= $2::timestamptz`;
/** What is due of a definition that is not evaluated any more, or of a profile that is gone. */
const forgetDueSql = prepared('segment_forget_due')`
    update segment_member m set due_at = null
    where m.subject = any($1::text[]) and m.due_at <= $2::timestamptz
      and (not m.generation = any($3::integer[])
        or not exists (select 1 from profile p where p.subject = m.subject and p.merged_into is null))`;

/** What a look at those who are due came to. */
export interface DueReevaluation {
  readonly changes: readonly PersonChange[];
  /** People who are due, those included who are locked right now. */
  readonly found: number;
}

/**
 * Looks again at people for whom a window has passed, or whose evaluation was left for later. Their profiles are locked first, as events lock them, so that
 * no other transaction decides on the same person at the same time.
 */
export async function reevaluateDue(segments: ActiveSegments, tx: Tx): Promise<DueReevaluation> {
  const due = await tx.query<{ subject: Subject }>(readDueSubjectsSql);
  if (due.length === 0) return { changes: [], found: 0 };
  const subjects = due.map(({ subject }) => subject);
  // A person whose profile is locked is being evaluated anyway.
  const profiles = await lockIdleProfiles(subjects, tx);
  // The time is read under the locks: what is told of a person bears times in the order in which it happened.
  const { index, traits, now } = await segments.hold(tx);
  const locked = profiles.map(({ subject }) => subject);
  const dueRows = await tx.query<{ subject: Subject; generation: number }>(readDueGenerationsSql, [
    locked,
    now,
  ]);
  const dueTraits = await readDueTraits(locked, traits, now, tx);
  const active = new Map(index.generations.map((generation) => [generation.generation, generation]));
  const dueOf = new Map<Subject, ActiveGeneration[]>(subjects.map((subject) => [subject, []]));
  for (const { subject, generation } of dueRows) {
    const found = active.get(generation);
    if (found !== undefined) dueOf.get(subject)?.push(found);
  }
  const work = profiles.map((row) => ({
    facts: factsOf(row),
    generations: dueOf.get(row.subject) ?? [],
    traits: dueTraits.get(row.subject) ?? [],
  }));
  const portion = portionOf(work, (found) => index.withDependents(found));
  const changes = await updatePeople(portion, now, tx);
  await tx.query(forgetDueSql, [subjects, now, [...active.keys()]]);
  await forgetDueValues(subjects, traits, now, tx);
  return { changes, found: due.length };
}
