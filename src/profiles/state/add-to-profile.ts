import type { Subject } from '../../events/customer-event';
import { addCounts, type ProfileCounts, type ProfileDelta } from './profile-delta';
import type { ProfileLimits } from './profile-limits';
import { totalsOf } from './profile-row';
import type { StoredProfile } from './stored-profile';
import { addToStored, readTraits } from './stored-traits';

/** A profile after deltas were added, and what that changed. */
interface AddedTo {
  readonly after: StoredProfile;
  /** Trait keys whose value changed. */
  readonly changedTraits: readonly string[];
  /** Whether the profile counts events of a name one by one. */
  readonly countsName: (name: string) => boolean;
}

/**
 * A row of which nothing is known but the subject, whether only an alias names it, and the profile that it belongs to
 * when it is not one itself: all it held is there. (Written out: spreading a row costs as much as all the rest.)
 */
export function emptyProfile(
  subject: Subject,
  onlyAliased: boolean,
  mergedInto: Subject | null = null,
): StoredProfile {
  return {
    subject,
    merged_into: mergedInto,
    only_aliased: onlyAliased,
    traits: '{}',
    trait_clocks: '{}',
    groups: null,
    event_count: 0,
    event_totals: '{}',
    first_seen_ms: Infinity,
    last_seen_ms: -Infinity,
  };
}

/** Adds what events say, and what other profiles hold. */
export function addToProfile(
  profile: StoredProfile,
  deltas: readonly ProfileDelta[],
  limits: ProfileLimits,
): AddedTo {
  const counts = countsOf(profile);
  for (const delta of deltas) addCounts(counts, delta, limits);
  const added = addToStored(profile, deltas, limits);
  return {
    after: {
      subject: profile.subject,
      merged_into: profile.merged_into,
      only_aliased: profile.only_aliased,
      traits: added.traits,
      trait_clocks: added.trait_clocks,
      groups: counts.groups.size > 0 ? [...counts.groups] : null,
      event_count: counts.eventCount,
      event_totals: JSON.stringify(Object.fromEntries(counts.totals)),
      first_seen_ms: counts.firstSeenMs,
      last_seen_ms: counts.lastSeenMs,
    },
    changedTraits: added.changed,
    countsName: (name) => counts.totals.has(name),
  };
}

/** A stored profile as something that can be added to another one. */
export function deltaOf(profile: StoredProfile): ProfileDelta {
  return { traits: readTraits(profile), ...countsOf(profile) };
}

function countsOf(profile: StoredProfile): ProfileCounts {
  const isEmpty = profile.event_count === 0;
  return {
    groups: new Set(profile.groups),
    totals: isEmpty ? new Map() : new Map(Object.entries(totalsOf(profile))),
    eventCount: profile.event_count,
    firstSeenMs: isEmpty ? Infinity : profile.first_seen_ms,
    lastSeenMs: isEmpty ? -Infinity : profile.last_seen_ms,
  };
}
