import type { CustomerEvent, JsonObject, Subject } from '../events/customer-event';

/** Times and counts of one event name on a profile. Times are ISO 8601. */
export interface EventTotal {
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** The state of a profile that segments are computed from. */
export interface ProfileFacts {
  readonly subject: Subject;
  readonly traits: JsonObject;
  readonly groups: readonly string[];
  readonly eventCount: number;
  readonly eventTotals: Readonly<Record<string, EventTotal>>;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

/**
 * A profile after the events of a transaction, and what they changed in it.
 * `profiles.apply` returns one of these for each profile that still exists; segments are evaluated for them.
 */
export interface TouchedProfile {
  readonly facts: ProfileFacts;
  readonly created: boolean;
  /** Top-level trait keys whose value changed. */
  readonly changedTraits: readonly string[];
  /** The events that were added to it. */
  readonly events: readonly CustomerEvent[];
  readonly groupsChanged: boolean;
  /** Profiles that were folded into this one by the events; their rows are pointers now. */
  readonly mergedSubjects: readonly Subject[];
}
