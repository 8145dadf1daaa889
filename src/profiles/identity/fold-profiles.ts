import type { Subject } from '../../events/customer-event';
import { textArray } from '../../platform/database/binary-arrays';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { dropUncountedDays, moveDayCounts } from '../state/day-counts';
import { deltaRow } from '../state/delta-row';
import { addDelta, emptyDelta, type ProfileDelta } from '../state/profile-delta';
import type { ProfileLimits } from '../state/profile-limits';
import { deltaOf, mayHaveAllNames, profileColumnsSql, type ProfileRow } from '../state/profile-row';
import { type UpsertedProfile, upsertProfiles } from '../state/upsert-profiles';
import type { FoldPlan } from './plan-folds';

const readProfilesStatement: PreparedStatement = {
  name: 'read_profiles',
  text: `
    select ${profileColumnsSql}
    from unnest($1::text[]) as s(subject)
    cross join lateral (select * from profile as p where p.subject = s.subject and p.event_count > 0) as p`,
};

/** Turns $1 into pointers to $2 and empties them. */
const pointProfilesStatement: PreparedStatement = {
  name: 'point_profiles',
  text: `
    update profile as p set
      merged_into = f.root, traits = '{}', trait_clocks = '{}', groups = '{}', event_count = 0, event_totals = '{}',
      first_seen_at = null, last_seen_at = null, last_trait_clock = '',
      changed_traits = null, groups_changed = false, updated_at = now()
    from unnest($1::text[], $2::text[]) as f(subject, root)
    where p.subject = f.subject`,
};

/** A profile after others were folded into it, and the names of the events that came with them. */
export interface FoldedInto {
  readonly profile: UpsertedProfile;
  readonly mergedSubjects: readonly Subject[];
  readonly countedEvents: readonly string[];
}

/**
 * Folds profiles into others: adds all they hold, and makes them and their members point to the new root.
 * The caller holds the locks of all of them. Those in `pointing` were empty, and point there already.
 */
export async function foldProfiles(
  { folds, pointers }: FoldPlan,
  pointing: ReadonlyMap<Subject, Subject>,
  limits: ProfileLimits,
  tx: Tx,
): Promise<FoldedInto[]> {
  const toPoint = [...pointers].filter(([subject]) => !pointing.has(subject));
  if (toPoint.length === 0) return [];
  const ending = await tx.query<ProfileRow & Record<string, unknown>>(readProfilesStatement, [
    textArray([...folds.keys()].filter((subject) => !pointing.has(subject))),
  ]);
  const deltas = new Map<Subject, ProfileDelta>();
  for (const row of ending) {
    const into = folds.get(row.subject) ?? row.subject;
    const delta = deltas.get(into) ?? emptyDelta();
    addDelta(delta, deltaOf(row), limits);
    deltas.set(into, delta);
  }
  await tx.query(pointProfilesStatement, [
    textArray(toPoint.map(([subject]) => subject)),
    textArray(toPoint.map(([, root]) => root)),
  ]);
  if (deltas.size === 0) return []; // They had no events yet.
  await moveDayCounts(folds, tx);
  const rows = [...deltas].map(([subject, delta]) => deltaRow(subject, delta, limits.maxTraitBytes));
  const profiles = await upsertProfiles(rows, limits, tx);
  const full = profiles.filter((row) => mayHaveAllNames(row, limits.maxEventNames));
  await dropUncountedDays(
    full.map(({ subject }) => subject),
    tx,
  );
  return profiles.map((profile) => ({
    profile,
    mergedSubjects: [...folds].filter(([, into]) => into === profile.subject).map(([from]) => from),
    countedEvents: [...(deltas.get(profile.subject)?.totals.keys() ?? [])],
  }));
}
