import type { CustomerEvent, Subject } from '../events/customer-event';
import type { PreparedStatement, Tx } from '../platform/database/database';
import { type FoldedInto, foldProfiles } from './identity/fold-profiles';
import type { Identities } from './identity/identities';
import type { Link } from './identity/links';
import { type FoldPlan, joins, planFolds, rowsOf } from './identity/plan-folds';
import { readFamilies, readIdentities } from './identity/read-identities';
import type { ProfileBatch } from './profile-batch';
import { addDayCounts, countDays, type DayCount } from './state/day-counts';
import { addEvent, emptyDelta, type ProfileDelta } from './state/profile-delta';
import type { ProfileLimits } from './state/profile-limits';
import { factsOf, mayHaveAllNames, totalsOf } from './state/profile-row';
import type { UpsertedProfile } from './state/upsert-profiles';
import type { TouchedProfile } from './touched-profile';
import { writeProfiles } from './write-profiles';

/** What came of an update: the profiles as they are now, or that it must be done again with these rows locked. */
export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly touched: TouchedProfile[]; readonly refused: readonly Link[] }
  | { readonly kind: 'stale'; readonly lock: ReadonlySet<Subject> };

const dropEmptyProfilesStatement: PreparedStatement = {
  name: 'drop_empty_profiles',
  text: `delete from profile where subject = any($1::text[]) and merged_into is null and event_count = 0`,
};

const markUsedStatement: PreparedStatement = {
  name: 'mark_used_ids',
  text: `update profile set only_aliased = false where subject = any($1::text[]) and only_aliased`,
};

/**
 * Applies a batch to the profiles its subjects belong to as far as is known, locking them all in one order, and then
 * checks under the locks that this was right. It was not when another worker folded one of them in between, or when
 * a link needs rows that are not locked: then the caller rolls back and calls again with `lock`.
 */
export async function updateProfiles(
  batch: ProfileBatch,
  lock: ReadonlySet<Subject>,
  limits: ProfileLimits,
  tx: Tx,
): Promise<UpdateOutcome> {
  const identities = await readIdentities(batch.subjects, tx);
  const isNew = (subject: Subject): boolean => batch.subjects.has(subject) && !identities.has(subject);
  const links = openLinks(batch.links, identities);
  const expected = await planLinks(links, isNew, limits, tx);
  const deltas = deltasOf(batch.events, identities, limits);
  const firstUses = [...batch.used].filter((subject) => identities.isOnlyAliased(subject));
  const locked = new Set([...deltas.keys(), ...lock, ...rowsOf(expected), ...firstUses]);
  for (const subject of locked) if (!deltas.has(subject)) deltas.set(subject, emptyDelta());

  const { upserted, made, pointers } = await writeProfiles(
    { deltas, isNew, expected, used: batch.used },
    limits,
    tx,
  );
  if (isStale(upserted, deltas, batch)) return { kind: 'stale', lock };
  if (await havePointersMoved(batch.subjects, identities, tx)) return { kind: 'stale', lock };
  const plan = await planLinks(links, (subject) => made.has(subject), limits, tx);
  const needed = rowsOf(plan);
  if ([...needed].some((subject) => !locked.has(subject))) {
    return { kind: 'stale', lock: new Set([...lock, ...needed]) };
  }
  if ([...pointers].some(([subject, root]) => plan.pointers.get(subject) !== root)) {
    return { kind: 'stale', lock };
  }

  const folded = await foldProfiles(plan, pointers, limits, tx);
  const touched = touchedProfiles(upserted, deltas, plan, folded);
  const rootOf = ({ subject }: CustomerEvent): Subject => {
    const root = identities.rootOf(subject);
    return plan.folds.get(root) ?? root;
  };
  const profiles = [...upserted, ...folded.map(({ profile }) => profile)];
  const days = countableDays(batch.events, rootOf, profiles, limits.maxEventNames);
  const foldedInto = new Set(folded.map(({ profile }) => profile.subject));
  await addDayCounts(days, (subject) => made.has(subject) && !foldedInto.has(subject), tx);
  await dropUnused(upserted, plan, tx);
  // Another worker may have made a row meanwhile because of an alias.
  const raced = [...batch.used].filter(
    (subject) => isNew(subject) && !made.has(subject) && locked.has(subject),
  );
  await markUsed([...firstUses, ...raced], tx);
  return { kind: 'updated', touched, refused: plan.refused };
}

/** The links that are not true yet. */
function openLinks(links: readonly Link[], identities: Identities): Link[] {
  return links.filter((link) => joins(link, identities.rootOf(link.from), identities.rootOf(link.into)));
}

/** What the links bring together as of now. A subject that `isNew` belongs to nobody, and nobody to it. */
async function planLinks(
  links: readonly Link[],
  isNew: (subject: Subject) => boolean,
  limits: ProfileLimits,
  tx: Tx,
): Promise<FoldPlan> {
  const subjects = links.flatMap(({ from, into }) => [from, into]);
  const families = await readFamilies(subjects, tx, isNew);
  return planFolds(links, families, limits.maxIds);
}

function deltasOf(
  events: readonly CustomerEvent[],
  identities: Identities,
  limits: ProfileLimits,
): Map<Subject, ProfileDelta> {
  const deltas = new Map<Subject, ProfileDelta>();
  for (const event of events) {
    const root = identities.rootOf(event.subject);
    const delta = deltas.get(root) ?? emptyDelta();
    addEvent(delta, event, limits);
    deltas.set(root, delta);
  }
  return deltas;
}

/**
 * A delta that was not applied met a row that has become a pointer. A profile that was made although only a pointer
 * led to it had been deleted.
 */
function isStale(
  upserted: readonly UpsertedProfile[],
  deltas: ReadonlyMap<Subject, ProfileDelta>,
  batch: ProfileBatch,
): boolean {
  const applied = new Set(upserted.map(({ subject }) => subject));
  const missed = [...deltas].some(([subject, { eventCount }]) => eventCount > 0 && !applied.has(subject));
  return missed || upserted.some(({ created, subject }) => created && !batch.subjects.has(subject));
}

/**
 * Whether a pointer that was followed does not lead there any more: the person was deleted, and made anew by somebody
 * else. From now on it stays, for its end is locked.
 */
async function havePointersMoved(
  subjects: ReadonlySet<Subject>,
  identities: Identities,
  tx: Tx,
): Promise<boolean> {
  const followed = [...subjects].filter((subject) => identities.rootOf(subject) !== subject);
  if (followed.length === 0) return false;
  const now = await readIdentities(followed, tx);
  return followed.some((subject) => now.rootOf(subject) !== identities.rootOf(subject));
}

function touchedProfiles(
  upserted: readonly UpsertedProfile[],
  deltas: ReadonlyMap<Subject, ProfileDelta>,
  plan: FoldPlan,
  folded: readonly FoldedInto[],
): TouchedProfile[] {
  const foldedInto = new Map(folded.map((fold) => [fold.profile.subject, fold]));
  return upserted
    .filter(({ subject, event_count }) => event_count > 0 && !plan.folds.has(subject))
    .map((before) => touchedProfile(before, deltas.get(before.subject), foldedInto.get(before.subject)));
}

function touchedProfile(
  before: UpsertedProfile,
  delta: ProfileDelta | undefined,
  fold: FoldedInto | undefined,
): TouchedProfile {
  const counted = [...(delta?.totals.keys() ?? [])];
  if (fold === undefined) {
    return {
      facts: factsOf(before),
      created: before.created,
      changedTraits: before.changed_traits ?? [],
      countedEvents: counted,
      groupsChanged: before.groups_changed,
      mergedSubjects: [],
    };
  }
  return {
    facts: factsOf(fold.profile),
    created: before.created,
    changedTraits: [...new Set([...(before.changed_traits ?? []), ...(fold.profile.changed_traits ?? [])])],
    countedEvents: [...new Set([...counted, ...fold.countedEvents])],
    groupsChanged: before.groups_changed || fold.profile.groups_changed,
    mergedSubjects: fold.mergedSubjects,
  };
}

/** The counts per day under the names that the profiles count. */
function countableDays(
  events: readonly CustomerEvent[],
  rootOf: (event: CustomerEvent) => Subject,
  profiles: readonly UpsertedProfile[],
  maxEventNames: number,
): DayCount[] {
  const days = countDays(events, rootOf);
  // Only a profile that may have its fill of names can have refused one; counting them all would cost too much.
  const full = profiles.filter((row) => mayHaveAllNames(row, maxEventNames));
  if (full.length === 0) return days;
  const totals = new Map(full.map((row) => [row.subject, totalsOf(row)]));
  return days.filter(({ subject, name }) => Object.hasOwn(totals.get(subject) ?? { [name]: 0 }, name));
}

/** Ids that an event bears at last. Their rows are locked. */
async function markUsed(subjects: readonly Subject[], tx: Tx): Promise<void> {
  if (subjects.length > 0) await tx.query(markUsedStatement, [subjects]);
}

/** Takes back rows that were made to be locked and that no link made use of. */
async function dropUnused(upserted: readonly UpsertedProfile[], plan: FoldPlan, tx: Tx): Promise<void> {
  const unused = upserted.filter(
    ({ subject, event_count }) => event_count === 0 && !plan.pointers.has(subject),
  );
  if (unused.length > 0) {
    await tx.query(dropEmptyProfilesStatement, [unused.map(({ subject }) => subject)]);
  }
}
