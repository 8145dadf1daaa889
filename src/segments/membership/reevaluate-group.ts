import { Logger } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { failureOf } from '../../platform/database/failure';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import { factsOf } from '../../profiles/state/profile-row';
import type { ActiveSegments } from '../definitions/active-segments';
import { lockIdleProfiles } from '../../profiles/lock-idle-profiles';
import { peopleOfStep, splitByCost } from './divide-work';
import type { PersonChange } from './person-change';
import { postponeEvaluation } from './postpone-evaluation';
import { peopleWithRoom } from './read-group-traits';
import { type PersonWork, updatePeople } from './update-people';

/**
 * What a change of a group's traits means for its members, who may be a million: a row of `group_evaluation` says that
 * the group has changed, then its members are written down in parts, and each part is looked at in a transaction of its
 * own. See docs/decisions/0047.
 */

/** People per transaction. */
const TRANSACTION_PEOPLE = 500;
/** How long to leave people alone whose profiles are locked. */
const RETRY_AFTER_MS = 50;

const logger = new Logger('GroupEvaluations');

/**
 * A row that waits serves this change too, once it is locked: no worker begins with it before this change is committed.
 * One that is being worked on may have read the traits already.
 */
const addChangedGroupsSql = prepared('segment_add_changed_groups')`
    with waiting as (
      select group_id from group_evaluation where group_id = any($1::text[]) and part = 0 for update skip locked
    )
    insert into group_evaluation (group_id)
    select changed from unnest($1::text[]) as changed where changed not in (select group_id from waiting)`;
/**
 * First parts first, so that a small group does not wait for a large one. A group that has parts left ends with them
 * first.
 */
const claimSql = prepared('segment_claim_group')`
    select id, group_id as "groupId", part, subjects from group_evaluation e
    where run_after <= statement_timestamp() and (part > 0
      or not exists (select from group_evaluation p where p.group_id = e.group_id and p.part > 0))
    order by part, id limit 1
    for update skip locked`;
const writeDownMembersSql = `
  with member as (
    select subject, ((row_number() over (order by subject) - 1) / ${TRANSACTION_PEOPLE} + 1)::integer as part
    from profile where groups @> array[$1::text] and groups <> '{}' and merged_into is null
  )
  insert into group_evaluation (group_id, part, subjects)
  select $1, part, array_agg(subject order by subject) from member group by part order by part`;
const finishSql = prepared('segment_finish_group')`delete from group_evaluation where id = $1`;
/** Those of the people in $2 who exist and were locked by another transaction. */
const readLockedSql = prepared('segment_read_left_in_group')`
    select subject from profile
    where subject = any(${unplannedList('$1', 'text')}) and not subject = any(${unplannedList('$2', 'text')})
      and merged_into is null
    order by subject`;
const tryLaterSql = `
  update group_evaluation set subjects = $2, run_after = statement_timestamp() + $3 * interval '1 millisecond'
  where id = $1`;

interface Evaluation {
  readonly id: string;
  readonly groupId: string;
  readonly part: number;
  readonly subjects: readonly Subject[] | null;
}

/** What a look at the members of a group came to. */
interface GroupReevaluation {
  readonly changes: readonly PersonChange[];
  /** Whether there was a group to look at. */
  readonly busy: boolean;
}

/** Has all members of groups looked at whose traits the transaction has changed. It never waits for anybody. */
export async function addChangedGroups(groupIds: readonly string[], tx: Tx): Promise<void> {
  if (groupIds.length > 0) await tx.query(addChangedGroupsSql, [groupIds]);
}

/** Looks at some members of a group whose traits have changed, with their profiles locked as events lock them. */
export async function reevaluateGroup(segments: ActiveSegments, tx: Tx): Promise<GroupReevaluation> {
  const [next] = await tx.query<Evaluation>(claimSql);
  if (next === undefined) return { changes: [], busy: false };
  if (next.subjects === null) {
    await tx.query(writeDownMembersSql, [next.groupId]);
    await tx.query(finishSql, [next.id]);
    return { changes: [], busy: true };
  }
  const profiles = await lockIdleProfiles(next.subjects, tx);
  // The time is read under the locks: what is told of a person bears times in the order in which it happened.
  const { index, now } = await segments.shareLock(tx);
  const generations = index.aboutGroups;
  const work =
    generations.length === 0 ? [] : profiles.map((row) => ({ facts: factsOf(row), generations, traits: [] }));
  const { portion, later, waiting } = await divide(work, tx);
  if (later.length > 0) await postponeEvaluation(later, now, tx);
  const changes = await updateOrPostpone(portion, now, tx);
  const locked = await tx.query<{ subject: Subject }>(readLockedSql, [
    next.subjects,
    profiles.map(({ subject }) => subject),
  ]);
  const left = [...waiting, ...locked.map(({ subject }) => subject)];
  if (left.length === 0) await tx.query(finishSql, [next.id]);
  else await tx.query(tryLaterSql, [next.id, left, locked.length === 0 ? 0 : RETRY_AFTER_MS]);
  return { changes, busy: true };
}

/** With whom it fails becomes due: what is due gets along with failures, and the step of the group has an end. */
async function updateOrPostpone(
  portion: readonly PersonWork[],
  now: string,
  tx: Tx,
): Promise<readonly PersonChange[]> {
  await tx.query('savepoint segment_group');
  try {
    return await updatePeople(portion, now, tx);
  } catch (error) {
    if (failureOf(error) === 'race') throw error;
    // Where the connection itself is gone, this rejects too and the caller learns of it.
    await tx.query('rollback to savepoint segment_group');
    logger.warn(
      `${portion.length} members of a group could not be evaluated: ${withoutQuotes(String(error))}`,
    );
    await postponeEvaluation(portion, now, tx);
    return [];
  }
}

/**
 * As much as one step does, what becomes due because somebody has too many events for that, and who waits for another
 * step.
 */
async function divide(
  work: readonly PersonWork[],
  tx: Tx,
): Promise<{
  readonly portion: readonly PersonWork[];
  readonly later: readonly PersonWork[];
  readonly waiting: readonly Subject[];
}> {
  const { atOnce, later } = splitByCost(work);
  const portion = await peopleWithRoom(peopleOfStep(atOnce), tx);
  const done = new Set(portion);
  const waiting = atOnce.filter((each) => !done.has(each));
  return { portion, later, waiting: waiting.map(({ facts }) => facts.subject) };
}
