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

/**
 * What events add to a profile. Adding is commutative and associative, and a whole profile has the same shape, so
 * that two profiles are merged by adding one to the other.
 */
export interface ProfileDelta {
  readonly traits: WrittenTraits;
  readonly groups: Set<string>;
  readonly totals: Map<string, Total>;
  eventCount: number;
  firstSeenMs: number;
  lastSeenMs: number;
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

/** Adds one event of the person. */
export function addEvent(delta: ProfileDelta, event: CustomerEvent, limits: ProfileLimits): void {
  const ms = Date.parse(event.timestamp);
  delta.eventCount += 1;
  delta.firstSeenMs = Math.min(delta.firstSeenMs, ms);
  delta.lastSeenMs = Math.max(delta.lastSeenMs, ms);
  addTotal(delta, eventName(event), { count: 1, first: ms, last: ms }, limits);
  if (event.type === 'group') addGroup(delta, event.groupId, limits);
  const traits = personTraits(event);
  if (traits.size === 0) return;
  const clock = traitClock(event);
  mergeTraits(
    delta.traits,
    [...traits].map(([key, value]) => [key, { value, clock }]),
    limits,
  );
}

/** Adds what another profile holds. */
export function addDelta(delta: ProfileDelta, other: ProfileDelta, limits: ProfileLimits): void {
  delta.eventCount += other.eventCount;
  delta.firstSeenMs = Math.min(delta.firstSeenMs, other.firstSeenMs);
  delta.lastSeenMs = Math.max(delta.lastSeenMs, other.lastSeenMs);
  for (const [name, total] of other.totals) addTotal(delta, name, total, limits);
  for (const group of other.groups) addGroup(delta, group, limits);
  mergeTraits(delta.traits, other.traits, limits);
}

function addGroup(delta: ProfileDelta, group: string, limits: ProfileLimits): void {
  if (delta.groups.size < limits.maxGroups) delta.groups.add(group);
}

function addTotal(delta: ProfileDelta, name: string, total: Total, limits: ProfileLimits): void {
  const current = delta.totals.get(name);
  if (current === undefined) {
    if (delta.totals.size < limits.maxEventNames) delta.totals.set(name, total);
    return;
  }
  delta.totals.set(name, {
    count: current.count + total.count,
    first: Math.min(current.first, total.first),
    last: Math.max(current.last, total.last),
  });
}
