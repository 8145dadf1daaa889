import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { LostRaceError } from '../platform/database/failure';
import { keepUpkeepOut } from '../events/erasure-gate';
import { forgetDeadEvents, forgetEvents } from '../events/forget-events';
import { forgetRejectedEvents } from '../events/rejected/keep-rejected-events';
import { forgetQuarantinedEvents } from '../tracking-plans/quarantine/forget-quarantined-events';
import { forgetInTail } from '../events/tail/read-tail';
import { forgetWaitingEvents, lockWaitingEvents } from '../events/inbox/waiting-events';
import { forgetHookRequests } from '../hooks/requests/failed-hook-requests';
import { forgetPeople, type ForgottenPeople } from '../segments/membership/forget-people';
import {
  forgetDayCounts,
  forgetProfiles,
  lockProfilesToForget,
  readPersonSubjects,
} from '../profiles/identity/forget-profiles';
import { idsOf, type PersonIds } from '../profiles/identity/ids-of';
import { type Family, isWholeFamily } from './family';
import { forgetLast } from './in-parts';

/** How many rows of each kind were deleted. */
export interface Erased extends ForgottenPeople {
  readonly events: number;
  readonly identities: number;
}

/** A person without a trace of him left, apart from deliveries. */
export interface ErasedPerson {
  readonly subjects: readonly Subject[];
  readonly ids: PersonIds;
  readonly erased: Erased;
  /** Events that were not accepted, or are quarantined, and requests of webhooks that name the person. */
  readonly rejected: number;
}

/** An event linked another id to the person at the last moment; to be tried again. */
export class FamilyGrewError extends LostRaceError {}

/**
 * Has each module forget a person, deliveries aside. First waits for work on segments, and for workers
 * that are at the person's events, so that none of them brings something back; nothing that they need is locked while
 * it waits.
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
  const events = await forgetLast(forgetEvents, subjects, tx);
  const identities = await forgetProfiles(subjects, tx);
  const ofSegments = await forgetPeople(subjects, tx);
  await forgetDayCounts(subjects, tx);
  await forgetDeadEvents(subjects, tx);
  const rejected = await forgetLast(forgetRejectedEvents, subjects, tx);
  const quarantined = await forgetLast(forgetQuarantinedEvents, subjects, tx);
  const requests = await forgetLast(forgetHookRequests, subjects, tx);
  await forgetInTail(subjects, tx);
  return {
    subjects,
    ids: idsOf(known),
    rejected: rejected + quarantined + requests,
    erased: { events, identities: identities - created, ...ofSegments },
  };
}

/** Goes on until the events that were waited for have linked no further id. Returns the inbox rows that are locked now. */
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
