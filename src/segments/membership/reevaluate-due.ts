import { Logger } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { failureOf } from '../../platform/database/failure';
import { prepared } from '../../platform/database/statements/prepared';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import { type FactsRow, factsOf } from '../../profiles/state/profile-row';
import { passOverDueValues, readDueTraits, retryDueValues } from '../computed-traits/due-values';
import type { ActiveGeneration } from '../definitions/active-generation';
import type { ActiveSegments, ActiveSegmentsNow } from '../definitions/active-segments';
import { lockIdleProfiles } from '../../profiles/lock-idle-profiles';
import type { PersonChange } from './person-change';
import { portionOf } from './divide-work';
import { peopleWithRoom } from './read-group-traits';
import type { StepSize } from './step-size';
import { type PersonWork, updatePeople } from './update-people';

/** People per transaction. */
export const DUE_PEOPLE = 500;
/** As many workers share what is due: each passes over those whom the others have locked. */
const MAX_PARTS = 20;
/**
 * How long to leave somebody alone who cannot be evaluated: a try may keep everybody from changing definitions for 24
 * s.
 */
const RETRY_AFTER_S = 300;

const logger = new Logger('DueEvaluations');

/** Not clock_timestamp(), by which PostgreSQL looks up nothing in an index. */
const dueIn = (table: string, part: number): string => `
  (select subject from ${table} where due_at <= statement_timestamp()
   order by due_at limit ${DUE_PEOPLE} offset ${part * DUE_PEOPLE})`;
/** The oldest first. A statement for each part, as PostgreSQL plans no offset well that it does not know. */
const readDueSubjectsSql = (part: number): PreparedStatement => prepared(`segment_read_due_${part}`)`
    select distinct subject from (${dueIn('segment_member', part)} union all ${dueIn('computed_value', part)}) due`;
const readDueGenerationsSql = prepared('segment_read_due_generations')`
    select subject, generation from segment_member
    where subject = any($1::text[]) and due_at <= $2::timestamptz`;
/**
 * What is due of a profile that is gone, and, until later, of a definition that this process does not evaluate: it is
 * about to be removed, or of a newer process. Nobody is waited for.
 */
const passOverDueSql = prepared('segment_pass_over_due')`
    with passed as (
      select m.subject, m.generation,
        case when p.subject is not null then $2::timestamptz + ${RETRY_AFTER_S} * interval '1 second' end as later
      from segment_member m left join profile p on p.subject = m.subject and p.merged_into is null
      where m.subject = any($1::text[]) and m.due_at <= $2::timestamptz
        and (p.subject is null or not m.generation = any($3::integer[]))
      for update of m skip locked
    )
    update segment_member m
    set due_at = passed.later
    from passed where m.subject = passed.subject and m.generation = passed.generation
    returning m.subject`;
const retryDueSql = prepared('segment_retry_due')`
    update segment_member set due_at = $3::timestamptz + ${RETRY_AFTER_S} * interval '1 second'
    where subject = $1 and generation = any($2::integer[]) and due_at <= $3::timestamptz`;

/** What a look at those who are due came to. */
interface DueReevaluation {
  readonly changes: readonly PersonChange[];
  /** Whether there may be more to do. Of people who are locked there is another look, but not at once. */
  readonly busy: boolean;
}

const NOTHING_DONE: DueReevaluation = { changes: [], busy: false };

/**
 * Looks again at people for whom a window has passed, or whose evaluation was left for later. Their profiles are locked
 * first, as events lock them, so that no other transaction decides on the same person at the same time. Where nothing
 * was to do, no lock is held.
 */
export async function reevaluateDue(
  segments: ActiveSegments,
  size: StepSize,
  tx: Tx,
): Promise<DueReevaluation> {
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const due = await tx.query<{ subject: Subject }>(readDueSubjectsSql(part));
    if (due.length === 0) break;
    await tx.query('savepoint segment_due');
    const subjects = due.map(({ subject }) => subject);
    const step = await reevaluate(subjects, segments, size, tx);
    if (step !== 'all_locked') return step;
    await tx.query('rollback to savepoint segment_due');
  }
  return NOTHING_DONE;
}

async function reevaluate(
  subjects: readonly Subject[],
  segments: ActiveSegments,
  size: StepSize,
  tx: Tx,
): Promise<DueReevaluation | 'all_locked'> {
  // A person whose profile is locked is being evaluated anyway.
  const profiles = await lockIdleProfiles(subjects, tx);
  // The time is read under the locks: what is told of a person bears times in the order in which it happened.
  const definitions = await segments.shareLock(tx);
  const passedOver = await passOverDue(subjects, definitions, tx);
  if (profiles.length === 0) return passedOver === 0 ? 'all_locked' : { changes: [], busy: true };
  const work = await readDueWork(profiles, definitions, tx);
  const portion = portionOf(work, (found) => definitions.index.withDependents(found));
  const people = await peopleWithRoom(portion.slice(0, size.people), tx);
  return evaluate(people, definitions.now, size, tx);
}

/** Returns for how many rows there is nothing to do now. */
async function passOverDue(
  subjects: readonly Subject[],
  { index, traits, now }: ActiveSegmentsNow,
  tx: Tx,
): Promise<number> {
  const generations = index.generations.map(({ generation }) => generation);
  const members = await tx.query(passOverDueSql, [subjects, now, generations]);
  return members.length + (await passOverDueValues(subjects, traits, { now, afterS: RETRY_AFTER_S }, tx));
}

async function readDueWork(
  profiles: readonly FactsRow[],
  { index, traits, now }: ActiveSegmentsNow,
  tx: Tx,
): Promise<PersonWork[]> {
  const locked = profiles.map(({ subject }) => subject);
  const rows = await tx.query<{ subject: Subject; generation: number }>(readDueGenerationsSql, [locked, now]);
  const dueTraits = await readDueTraits(locked, traits, now, tx);
  const active = new Map(index.generations.map((generation) => [generation.generation, generation]));
  const dueOf = new Map<Subject, ActiveGeneration[]>(locked.map((subject) => [subject, []]));
  for (const { subject, generation } of rows) {
    const found = active.get(generation);
    if (found !== undefined) dueOf.get(subject)?.push(found);
  }
  return profiles.map((row) => ({
    facts: factsOf(row),
    generations: dueOf.get(row.subject) ?? [],
    traits: dueTraits.get(row.subject) ?? [],
  }));
}

/** With whom it fails when the step is about nobody else is left alone for a while, and holds up nobody. */
async function evaluate(
  portion: readonly PersonWork[],
  now: string,
  size: StepSize,
  tx: Tx,
): Promise<DueReevaluation> {
  await tx.query('savepoint segment_people');
  try {
    const changes = await updatePeople(portion, now, tx);
    size.noteSuccess();
    return { changes, busy: true };
  } catch (error) {
    const [first, ...others] = portion;
    const isAlone = first !== undefined && others.length === 0 && failureOf(error) !== 'race';
    // Where the connection itself is gone, this rejects too and the caller learns of it.
    await tx.query(`rollback to savepoint ${isAlone ? 'segment_people' : 'segment_due'}`);
    size.noteFailure(portion.length);
    if (isAlone) await retryLater(first, { now, error }, tx);
    else
      logger.warn(
        `${portion.length} people who are due could not be evaluated: ${withoutQuotes(String(error))}`,
      );
    return { changes: [], busy: isAlone };
  }
}

async function retryLater(
  { facts: { subject }, generations, traits }: PersonWork,
  { now, error }: { readonly now: string; readonly error: unknown },
  tx: Tx,
): Promise<void> {
  logger.error({
    msg: `Somebody who is due could not be evaluated, and is left alone for ${RETRY_AFTER_S} s: ${withoutQuotes(String(error))}`,
    segmentIds: generations.map(({ segmentId }) => segmentId),
    traits: traits.map(({ name }) => name),
  });
  const due = generations.map(({ generation }) => generation);
  await tx.query(retryDueSql, [subject, due, now]);
  await retryDueValues(subject, traits, { now, afterS: RETRY_AFTER_S }, tx);
}
