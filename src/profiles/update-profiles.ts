import type { CustomerEvent, Subject } from '../events/customer-event';
import type { OpenTransaction } from '../platform/database/database';
import { ProfileFold, type FoldedProfile } from './profile-fold';
import type { Link } from './identity/links';
import { lockPeople, type LockedPeople, type LockTerms } from './lock-people';
import type { PersonalEvents } from './personal-events';
import { addDayCounts, countDays, dayOf, dropUncountedDays, moveDayCounts } from './state/day-counts';
import { roomFor } from './state/demand-room';
import type { ProfileLimits } from './state/profile-limits';
import { factsOf } from './state/profile-row';
import { writeProfiles } from './state/write-profiles';
import type { TouchedProfile } from './touched-profile';

/** The profiles as they are now, and the links that were refused because a profile would have had too many ids. */
interface UpdatedProfiles {
  readonly touched: TouchedProfile[];
  readonly refused: readonly Link[];
  /** The profile that the events of a subject belong to. */
  readonly rootOf: (subject: Subject) => Subject;
}

/**
 * Applies events to the profiles that they belong to: locks them, adds to what they hold, writes the result.
 * @throws ContendedProfilesError, EventsTooLargeError, and what `confirmed` and `underLocks` throw
 */
export async function updateProfiles(
  personal: PersonalEvents,
  limits: ProfileLimits,
  way: Pick<LockTerms, 'confirmed' | 'underLocks'>,
  tx: OpenTransaction,
): Promise<UpdatedProfiles> {
  const fold = new ProfileFold(personal, limits);
  const terms = { maxIds: limits.maxIds, maxBytes: roomFor(personal.events.length), ...way };
  const people = await lockPeople(personal, fold, terms, tx);
  const { plan, locked } = people;
  const folded = fold.fold(locked, plan);
  // In this order: names that a profile does not count are dropped from its days by what is in its row.
  writeProfiles(folded.values(), locked, tx);
  const moved = movedProfiles(people);
  updateDayCounts(personal, people, { folded, moved }, tx);
  return {
    touched: touchedProfiles(personal, people, { folded, moved }),
    refused: plan.folds.refused,
    rootOf: plan.rootOf,
  };
}

/** What events did to profiles. */
interface Changes {
  readonly folded: ReadonlyMap<Subject, FoldedProfile>;
  /** The profiles with events of earlier transactions that were folded into others, and into which. */
  readonly moved: ReadonlyMap<Subject, Subject>;
}

/** Days are counted under the names that the profile counts, and nowhere else. */
function updateDayCounts(
  personal: PersonalEvents,
  people: LockedPeople,
  { folded, moved }: Changes,
  tx: OpenTransaction,
): void {
  const { plan, locked } = people;
  const grown = new Set(moved.values());
  moveDayCounts(moved, firstDayOf(moved.keys(), people), tx);
  const full = [...grown].filter((subject) => hasRefusedNames(folded.get(subject)));
  dropUncountedDays(full, tx);
  const days = countDays(personal.events, ({ subject }) => plan.rootOf(subject));
  addDayCounts(
    days.filter(({ subject, name }) => folded.get(subject)?.countsName(name)),
    (subject) => locked.get(subject)?.isMade === true && !grown.has(subject),
    tx,
  );
}

function hasRefusedNames(profile: FoldedProfile | undefined): boolean {
  if (profile === undefined) return false;
  return profile.deltas.some(({ totals }) => [...totals.keys()].some((name) => !profile.countsName(name)));
}

/** The day of the first event that one of the subjects has. */
function firstDayOf(subjects: Iterable<Subject>, { locked }: LockedPeople): number {
  const times = Array.from(subjects, (subject) => locked.get(subject)?.before.first_seen_ms ?? 0);
  return dayOf(Math.min(...times));
}

function movedProfiles({ plan, locked }: LockedPeople): Map<Subject, Subject> {
  const moved = new Map<Subject, Subject>();
  for (const subject of plan.folds.ended) {
    if ((locked.get(subject)?.before.event_count ?? 0) > 0) moved.set(subject, plan.rootOf(subject));
  }
  return moved;
}

function touchedProfiles(
  { events }: PersonalEvents,
  people: LockedPeople,
  { folded, moved }: Changes,
): TouchedProfile[] {
  const merged = new Map<Subject, Subject[]>();
  for (const [from, into] of moved) merged.set(into, [...(merged.get(into) ?? []), from]);
  const eventsOf = new Map<Subject, CustomerEvent[]>();
  for (const event of events) {
    const root = people.plan.rootOf(event.subject);
    const ofRoot = eventsOf.get(root);
    if (ofRoot === undefined) eventsOf.set(root, [event]);
    else ofRoot.push(event);
  }
  const touched: TouchedProfile[] = [];
  for (const { before, after, deltas, changedTraits } of folded.values()) {
    if (deltas.length === 0) continue;
    touched.push({
      facts: factsOf(after),
      created: people.locked.get(after.subject)?.isMade === true,
      changedTraits,
      events: eventsOf.get(after.subject) ?? [],
      groupsChanged: after.groups?.length !== before.groups?.length,
      mergedSubjects: merged.get(after.subject) ?? [],
    });
  }
  return touched;
}
