import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { ContendedProfilesError } from './contended-profiles.error';
import type { ProfileFold } from './profile-fold';
import { Identities, type IdentityRow } from './identity/identities';
import { type PeoplePlan, planPeople } from './identity/plan-people';
import { readIdentities } from './identity/read-identities';
import type { PersonalEvents } from './personal-events';
import { emptyProfile } from './state/add-to-profile';
import { type ExpectedRow, type LockedProfiles, lockProfiles } from './state/lock-profiles';

/** Each further attempt knows more of the identities; that this many are not enough has not been seen. */
const MAX_ATTEMPTS = 12;

/** What holds for the people that are locked. */
export interface LockTerms {
  /** Of one profile. */
  readonly maxIds: number;
  /** Of the rows that are there. */
  readonly maxBytes: number;
  /** That the events are there; what else is known by then travels with the answer. */
  readonly confirmed?: Promise<void> | undefined;
  /** Looks at what no other transaction can change any more, once more with each attempt; it travels with the locks. */
  readonly underLocks: () => Promise<void>;
}

/** The people that events are about: who is who, and their rows. Both stay true until the transaction ends. */
export interface LockedPeople {
  readonly plan: PeoplePlan;
  readonly locked: LockedProfiles;
}

/**
 * Which rows events need is only known for sure when they are locked: other workers link and merge, and people are
 * deleted. So it locks what is needed as far as can be seen, looks again, and starts over when that needs other rows.
 *
 * @throws ContendedProfilesError, EventsTooLargeError, and what `confirmed` and `underLocks` throw
 */
export async function lockPeople(
  personal: PersonalEvents,
  fold: ProfileFold,
  { maxIds, maxBytes, confirmed, underLocks }: LockTerms,
  tx: Tx,
): Promise<LockedPeople> {
  const saved = tx.query('savepoint profiles');
  const [found] = await Promise.all([readIdentities([...personal.subjects], tx), saved, confirmed]);
  let seen = await planPeople(personal, new Identities(found), maxIds, tx);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const unlocked = [...personal.subjects].filter((subject) => !seen.rows.has(subject));
    // They travel together, and the second one sees what was committed before the locks were there.
    const [locked, others] = await Promise.all([
      lockProfiles(expectedRows(personal, seen, fold), maxBytes, tx),
      readIdentities(unlocked, tx),
      underLocks(),
    ]);
    const plan = await planPeople(personal, identitiesOf(locked, others), maxIds, tx);
    if ([...plan.rows].every((subject) => locked.has(subject))) return { plan, locked };
    await tx.query('rollback to savepoint profiles');
    seen = plan;
  }
  throw new ContendedProfilesError('The profiles were merged again and again');
}

/**
 * What the locked rows say, and for the rest what is in the table. A subject whose row is not locked either has none,
 * or points to a profile: to point elsewhere the lock of that profile is needed.
 */
function identitiesOf(locked: LockedProfiles, others: readonly IdentityRow[]): Identities {
  const identities = new Identities(others);
  for (const { isMade, before } of locked.values()) if (!isMade) identities.add(before);
  return identities;
}

/**
 * A row that is new is made as the events will leave it, so that it is written once, unless more turns out to go into
 * it.
 */
function expectedRows(personal: PersonalEvents, plan: PeoplePlan, fold: ProfileFold): ExpectedRow[] {
  const rows: Omit<ExpectedRow, 'made'>[] = [];
  const fresh = new Map<Subject, Omit<ExpectedRow, 'made'>>();
  for (const subject of plan.rows) {
    const row = { before: emptyProfile(subject, !personal.used.has(subject)), isNew: plan.isNew(subject) };
    rows.push(row);
    if (row.isNew) fresh.set(subject, row);
  }
  const folded = fold.fold(fresh, plan);
  return rows.map(({ before, isNew }) => ({
    before,
    isNew,
    made: folded.get(before.subject)?.after ?? before,
  }));
}
