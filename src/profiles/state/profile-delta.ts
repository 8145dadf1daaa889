import { type CustomerEvent, eventName } from '../../events/customer-event';
import { personTraits } from './event-traits';
import { mergeTraits, type WrittenTraits } from './merge-traits';
import type { ProfileLimits } from './profile-limits';
import { traitClock } from './trait-clock';

/** How often, and between which times (ms since 1970), something happened. */
export interface Total {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** What is counted of a profile. */
export interface ProfileCounts {
  readonly groups: Set<string>;
  readonly totals: Map<string, Total>;
  eventCount: number;
  /** `Infinity` without events. */
  firstSeenMs: number;
  /** `-Infinity` without events. */
  lastSeenMs: number;
}

/**
 * What events add to a profile. Adding is commutative and associative, and a whole profile has the same shape, so
 * that two profiles are merged by adding one to the other.
 */
export interface ProfileDelta extends ProfileCounts {
  readonly traits: WrittenTraits;
}

export function emptyDelta(): ProfileDelta {
  return {
    traits: new Map(),
    groups: new Set(),
    totals: new Map(),
    eventCount: 0,
    firstSeenMs: Infinity,
    lastSeenMs: -Infinity,
  };
}

/** Adds one event of the person. How large the traits may be is asked where they meet those of the profile. */
export function addEvent(delta: ProfileDelta, event: CustomerEvent, limits: ProfileLimits): void {
  const ms = Date.parse(event.timestamp);
  delta.eventCount += 1;
  widen(delta, ms, ms);
  addTotal(delta.totals, [eventName(event), { count: 1, first: ms, last: ms }], limits);
  if (event.type === 'group') addGroup(delta, event.groupId, limits);
  const traits = personTraits(event);
  if (traits.size === 0) return;
  const clock = traitClock(event);
  const written = [...traits].map(([key, value]) => [key, { value, clock }] as const);
  mergeTraits(delta.traits, written, { maxTraitKeys: limits.maxTraitKeys, maxTraitBytes: Infinity });
}

/** Adds all but the traits. */
export function addCounts(counts: ProfileCounts, other: ProfileCounts, limits: ProfileLimits): void {
  counts.eventCount += other.eventCount;
  widen(counts, other.firstSeenMs, other.lastSeenMs);
  for (const total of other.totals) addTotal(counts.totals, total, limits);
  for (const group of other.groups) addGroup(counts, group, limits);
}

function widen(counts: ProfileCounts, firstMs: number, lastMs: number): void {
  counts.firstSeenMs = Math.min(counts.firstSeenMs, firstMs);
  counts.lastSeenMs = Math.max(counts.lastSeenMs, lastMs);
}

function addGroup({ groups }: ProfileCounts, group: string, { maxGroups }: ProfileLimits): void {
  if (groups.size < maxGroups) groups.add(group);
}

function addTotal(
  totals: Map<string, Total>,
  [name, total]: readonly [string, Total],
  limits: ProfileLimits,
): void {
  const current = totals.get(name);
  if (current === undefined) {
    if (totals.size < limits.maxEventNames) totals.set(name, total);
    return;
  }
  totals.set(name, {
    count: current.count + total.count,
    first: Math.min(current.first, total.first),
    last: Math.max(current.last, total.last),
  });
}
