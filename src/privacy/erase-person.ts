import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { LostRaceError } from '../platform/database/failure';
import { keepUpkeepOut } from '../events/erasure-gate';
import { forgetWaitingEvents, lockWaitingEvents } from '../events/inbox/waiting-events';
import { lockProfilesToForget, readPersonSubjects } from '../profiles/identity/forget-profiles';
import { idsOf, type PersonIds } from '../profiles/identity/ids-of';
import { type Family, isWholeFamily } from './family';
import { NOTHING_ERASED } from './erasure-notes';
import { type ErasedRows, HELD_OF_PEOPLE } from './held-of-people';
import { forgetLast } from './in-parts';

/** A person without a trace of him left. */
export interface ErasedPerson {
  readonly subjects: readonly Subject[];
  readonly ids: PersonIds;
  readonly erased: ErasedRows;
}

/** An event linked another id to the person at the last moment; to be tried again. */
export class FamilyGrewError extends LostRaceError {}

/**
 * Has each module forget a person. First waits for work on segments, and for workers that are at the person's events,
 * so that none of them brings something back; nothing that they need is locked while it waits.
 *
 * @throws FamilyGrewError
 * @throws TooMuchHeldError
 */
export async function erasePerson(subject: Subject, family: Family, tx: Tx): Promise<ErasedPerson> {
  await keepUpkeepOut(tx);
  const { subjects, inboxIds } = await waitForWorkers(subject, family, tx);
  await forgetWaitingEvents(subjects, inboxIds, tx);
  const known = await readPersonSubjects(subjects, tx);
  const created = await lockProfilesToForget(subjects, tx);
  if (!(await isWholeFamily(subjects, tx))) throw new FamilyGrewError();
  const erased = await forgetHeld(subjects, tx);
  return { subjects, ids: idsOf(known), erased: { ...erased, identities: erased.identities - created } };
}

/**
 * Goes on until the events that were waited for have linked no further id. Returns the inbox rows that are locked now.
 */
async function waitForWorkers(
  subject: Subject,
  family: Family,
  tx: Tx,
): Promise<{ subjects: Subject[]; inboxIds: string[] }> {
  let subjects = await family.of(subject, tx);
  for (;;) {
    const inboxIds = await lockWaitingEvents(subjects, tx);
    const now = await family.of(subject, tx);
    if (now.every((other) => subjects.includes(other))) return { subjects: now, inboxIds };
    subjects = now;
  }
}

/** @throws TooMuchHeldError */
async function forgetHeld(subjects: readonly Subject[], tx: Tx): Promise<ErasedRows> {
  const erased = { ...NOTHING_ERASED, identities: 0, memberships: 0, computedValues: 0 };
  for (const held of HELD_OF_PEOPLE) {
    const isMuch = 'forgetPart' in held;
    const rows = isMuch ? await forgetLast(held.forgetPart, subjects, tx) : await held.forget(subjects, tx);
    if (held.counted !== undefined) erased[held.counted] += rows;
  }
  return erased;
}
