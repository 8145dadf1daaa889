import { type CustomerEvent, eventName } from '../../events/customer-event';
import { personTraits } from './event-traits';
import { mergeTraits, UNLIMITED, type WrittenTrait, type WrittenTraits } from './merge-traits';
import type { ProfileLimits } from './profile-limits';
import { traitClock } from './trait-clock';

/** How often, and between which times (ms since 1970), something happened. */
export interface Total {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

const NOTHING: Total = { count: 0, first: Infinity, last: -Infinity };

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

/** Adds one event of the person. How much a profile may have is asked where the delta meets it. */
export function addEvent(delta: ProfileDelta, event: CustomerEvent): void {
  const ms = Date.parse(event.timestamp);
  delta.eventCount += 1;
  widen(delta, ms, ms);
  addTotal(delta.totals, eventName(event), { count: 1, first: ms, last: ms });
  if (event.type === 'group') delta.groups.add(event.groupId);
  const traits = personTraits(event);
  if (traits.size === 0) return;
  const clock = traitClock(event);
  const written: [string, WrittenTrait][] = [];
  for (const [key, value] of traits) written.push([key, { value, clock }]);
  mergeTraits(delta.traits, written, UNLIMITED);
}

/** Adds all but the traits: of new groups the first for which there is room. */
export function addCounts(counts: ProfileCounts, other: ProfileCounts, limits: ProfileLimits): void {
  counts.eventCount += other.eventCount;
  widen(counts, other.firstSeenMs, other.lastSeenMs);
  addTotals(counts.totals, other.totals, limits);
  for (const group of other.groups) if (counts.groups.size < limits.maxGroups) counts.groups.add(group);
}

function widen(counts: ProfileCounts, firstMs: number, lastMs: number): void {
  counts.firstSeenMs = Math.min(counts.firstSeenMs, firstMs);
  counts.lastSeenMs = Math.max(counts.lastSeenMs, lastMs);
}

/** What is counted goes on, above a limit too; of new names the first are counted for which there is room. */
function addTotals(
  totals: Map<string, Total>,
  others: Iterable<[string, Total]>,
  limits: ProfileLimits,
): void {
  let bytes: number | undefined;
  for (const [name, total] of others) {
    if (!totals.has(name)) {
      bytes ??= [...totals.keys()].reduce((sum, counted) => sum + nameBytes(counted), 0);
      const then = bytes + nameBytes(name);
      if (totals.size >= limits.maxEventNames || then > limits.maxEventNameBytes) continue;
      bytes = then;
    }
    addTotal(totals, name, total);
  }
}

function nameBytes(name: string): number {
  return Buffer.byteLength(JSON.stringify(name));
}

function addTotal(totals: Map<string, Total>, name: string, total: Total): void {
  const current = totals.get(name) ?? NOTHING;
  totals.set(name, {
    count: current.count + total.count,
    first: Math.min(current.first, total.first),
    last: Math.max(current.last, total.last),
  });
}
