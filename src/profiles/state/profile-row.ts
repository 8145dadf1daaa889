import type { JsonObject, JsonValue, Subject } from '../../events/customer-event';
import type { ProfileFacts } from '../touched-profile';
import type { WrittenTraits } from './merge-traits';
import type { ProfileDelta, Total } from './profile-delta';

/** The state of a profile as PostgreSQL answers it; see {@link profileColumnsSql}. */
export interface ProfileRow {
  readonly subject: Subject;
  readonly traits: JsonObject;
  readonly trait_clocks: Record<string, string>;
  readonly groups: string[];
  readonly event_count: number;
  readonly event_totals: Record<string, Total>;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

/** The columns of {@link ProfileFacts}, of the table `p`. */
export const factColumnsSql = `
  p.subject, p.traits, p.groups, p.event_count::float8 as event_count, p.event_totals,
  extract(epoch from p.first_seen_at)::float8 * 1000 as first_seen_ms,
  extract(epoch from p.last_seen_at)::float8 * 1000 as last_seen_ms`;

/** The columns of {@link ProfileRow}, of the table `p`. */
export const profileColumnsSql = `${factColumnsSql}, p.trait_clocks`;

/** What others may know of a profile. */
export function factsOf(row: Omit<ProfileRow, 'trait_clocks'>): ProfileFacts {
  return {
    subject: row.subject,
    traits: row.traits,
    groups: [...row.groups].sort(),
    eventCount: row.event_count,
    eventTotals: Object.fromEntries(
      Object.entries(row.event_totals).map(([name, { count, first, last }]) => [
        name,
        { count, firstAt: isoTime(first), lastAt: isoTime(last) },
      ]),
    ),
    firstSeenAt: isoTime(row.first_seen_ms),
    lastSeenAt: isoTime(row.last_seen_ms),
  };
}

/** A stored profile as something that can be added to another one. */
export function deltaOf(row: ProfileRow): ProfileDelta {
  return {
    traits: writtenTraits(row),
    groups: new Set(row.groups),
    totals: new Map(Object.entries(row.event_totals)),
    eventCount: row.event_count,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
  };
}

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}

function writtenTraits(row: ProfileRow): WrittenTraits {
  return new Map(
    Object.entries(row.trait_clocks).map(([key, clock]) => {
      const value: JsonValue = Object.hasOwn(row.traits, key) ? (row.traits[key] ?? null) : null;
      return [key, { value, clock }];
    }),
  );
}
