import { Logger } from '@nestjs/common';
import type { Subject } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { passesByItself } from '../../../platform/database/failure';
import { prepared } from '../../../platform/database/statements/prepared';
import { withoutQuotes } from '../../../platform/logging/without-quotes';
import { lockIdleProfiles } from '../../../profiles/lock-idle-profiles';
import { existingProfiles, nextProfiles } from '../../../profiles/reading/next-profiles';
import { factsOf } from '../../../profiles/state/profile-row';
import type { ActiveSegments } from '../../definitions/active-segments';
import { updatePeople } from '../../membership/update-people';
import type { KeptTrait } from '../kept-traits';
import { postponeValues } from '../postpone-values';

/** Each is a walk over the person's events of that name: a step keeps a processor of events waiting for so long. */
const STEP_PEOPLE = 500;
/** How long to leave people alone whose profiles are locked. */
const RETRY_AFTER_MS = 50;
/**
 * Somebody with whom so many steps have failed is passed over, who would keep everybody else's values from being there,
 * and is due from then on, as others are when a window passes.
 */
const MAX_FAILURES = 12;
const FAILURE_PAUSE_MS = 2_000;
const MAX_FAILURE_PAUSE_MS = 60_000;

const logger = new Logger('KeptTraits');

const claimSql = prepared('computed_claim')`
    select generation, cursor, left_out as "leftOut", failures from kept_trait
    where state = 'computing' and run_after <= statement_timestamp()
    order by generation for update skip locked`;
const moveOnSql = prepared('computed_move_on')`
    update kept_trait set cursor = $2, left_out = $3, failures = 0,
      run_after = statement_timestamp() + $4 * interval '1 millisecond'
    where generation = any($1::integer[])`;
const retryLaterSql = prepared('computed_retry_later')`
    update kept_trait set failures = failures + 1, run_after = statement_timestamp() + $2 * interval '1 millisecond'
    where generation = any($1::integer[])`;
const finishSql = prepared('computed_finish')`
    update kept_trait set state = 'computed', cursor = '' where generation = any($1::integer[])`;

interface Computing {
  readonly generation: number;
  readonly cursor: string;
  readonly leftOut: readonly Subject[];
  readonly failures: number;
}

/**
 * Looks at the next people for computed traits that have begun to be kept; those that are equally far go together.
 * Nobody else decides on these people meanwhile, and everybody whom an event touches is kept up to date by that, so
 * where a row is, it is of the last look. Who has no row has the value of nobody.
 *
 * @returns whether there was anybody or anything to look at
 */
export async function computeValues(segments: ActiveSegments, tx: Tx): Promise<boolean> {
  const [first, ...others] = await tx.query<Computing>(claimSql);
  if (first === undefined) return false;
  const { cursor, leftOut, failures } = first;
  const together = [first, ...others.filter((other) => isAsFar(other, first))];
  const generations = together.map(({ generation }) => generation);
  const { traits, now } = await segments.shareLock(tx);
  const people = peopleOfStep(failures);
  const asked = leftOut.length > 0 ? leftOut.slice(0, people) : await nextProfiles(cursor, people, tx);
  const last = asked.at(-1);
  if (last === undefined) {
    await tx.query(finishSql, [generations]);
    return true;
  }
  const ours = traits.all.filter(({ generation }) => generations.includes(generation));
  const waiting = leftOut.slice(asked.length);
  const done = leftOut.length > 0 ? cursor : last;
  await tx.query('savepoint kept_values');
  try {
    const locked = await lookAt(asked, ours, now, tx);
    const left = [...waiting, ...locked];
    await tx.query(moveOnSql, [generations, done, left, locked.length === 0 ? 0 : RETRY_AFTER_MS]);
  } catch (error) {
    // Where the connection itself is gone, this rejects too and the caller learns of it.
    await tx.query('rollback to savepoint kept_values');
    const reason = `Values of computed traits could not be kept: ${withoutQuotes(String(error))}`;
    if (asked.length > 1 || failures < MAX_FAILURES || passesByItself(error)) {
      logger.warn(reason);
      const pauseMs = Math.min(MAX_FAILURE_PAUSE_MS, FAILURE_PAUSE_MS * (failures + 1));
      await tx.query(retryLaterSql, [generations, pauseMs]);
    } else {
      logger.error({ msg: `${reason}: somebody is passed over, and looked at later`, generations });
      const passedOver = await lockIdleProfiles(asked, tx);
      await postponeValues(
        passedOver.map(({ subject }) => ({ facts: { subject }, traits: ours })),
        now,
        tx,
      );
      await tx.query(moveOnSql, [generations, done, waiting, 0]);
    }
  }
  return true;
}

/** Keeps the values of people, and answers those whose profiles are locked. */
async function lookAt(
  asked: readonly Subject[],
  traits: readonly KeptTrait[],
  now: string,
  tx: Tx,
): Promise<readonly Subject[]> {
  const profiles = await lockIdleProfiles(asked, tx);
  // Nothing is told of the first computation.
  await updatePeople(
    profiles.map((row) => ({ facts: factsOf(row), generations: [], traits })),
    now,
    tx,
  );
  const locked = new Set(profiles.map(({ subject }) => subject));
  return existingProfiles(
    asked.filter((subject) => !locked.has(subject)),
    tx,
  );
}

/** Fewer after a failure: people with tens of thousands of events each may take longer than a statement may. */
function peopleOfStep(failures: number): number {
  return Math.max(1, Math.floor(STEP_PEOPLE / 2 ** failures));
}

function isAsFar(other: Computing, first: Computing): boolean {
  return other.cursor === first.cursor && other.leftOut.join('\n') === first.leftOut.join('\n');
}
