import type { JsonObject, JsonValue, Subject } from '../../events/customer-event';
import type { EventTotal, ProfileFacts } from '../touched-profile';
import type { WrittenTraits } from './merge-traits';
import type { ProfileDelta, Total } from './profile-delta';

/** The state of a profile as PostgreSQL answers it; see {@link factColumnsSql}. JSON is parsed by who needs it. */
export interface FactsRow {
  readonly subject: Subject;
  /** JSON text of an object. */
  readonly traits: string;
  readonly groups: string[] | null;
  readonly event_count: number;
  /** JSON text: event name to {@link Total}. */
  readonly event_totals: string;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

export interface ProfileRow extends FactsRow {
  readonly trait_clocks: Record<string, string>;
}

/** The columns of {@link FactsRow}, of the table `p`. */
export const factColumnsSql = `
  p.subject, p.traits::text as traits, nullif(p.groups, '{}') as groups, p.event_count::float8 as event_count,
  p.event_totals::text as event_totals,
  extract(epoch from p.first_seen_at)::float8 * 1000 as first_seen_ms,
  extract(epoch from p.last_seen_at)::float8 * 1000 as last_seen_ms`;

/** The columns of {@link ProfileRow}, of the table `p`. */
export const profileColumnsSql = `${factColumnsSql}, p.trait_clocks`;

/** What others may know of a profile. Each part is made when it is first asked for: most of them never are. */
export function factsOf(row: FactsRow): ProfileFacts {
  return new StoredFacts(row);
}

class StoredFacts implements ProfileFacts {
  private parsedTraits: JsonObject | undefined;
  private parsedTotals: Record<string, EventTotal> | undefined;

  constructor(private readonly row: FactsRow) {}

  get subject(): Subject {
    return this.row.subject;
  }

  get traits(): JsonObject {
    this.parsedTraits ??= JSON.parse(this.row.traits) as JsonObject;
    return this.parsedTraits;
  }

  get groups(): readonly string[] {
    return [...(this.row.groups ?? [])].sort();
  }

  get eventCount(): number {
    return this.row.event_count;
  }

  get eventTotals(): Readonly<Record<string, EventTotal>> {
    this.parsedTotals ??= Object.fromEntries(
      Object.entries(totalsOf(this.row)).map(([name, { count, first, last }]) => [
        name,
        { count, firstAt: isoTime(first), lastAt: isoTime(last) },
      ]),
    );
    return this.parsedTotals;
  }

  get firstSeenAt(): string {
    return isoTime(this.row.first_seen_ms);
  }

  get lastSeenAt(): string {
    return isoTime(this.row.last_seen_ms);
  }
}

/** Counts and times of each event name of a profile. */
export function totalsOf(row: FactsRow): Record<string, Total> {
  return JSON.parse(row.event_totals) as Record<string, Total>;
}

/** JSON text of one of `event_totals`, at least: `"":{"last":0,"count":1,"first":0}`. */
const MIN_TOTAL_CHARACTERS = 33;

/** Whether a profile may count as many event names as it can; false is certain. */
export function mayHaveAllNames({ event_totals }: FactsRow, maxEventNames: number): boolean {
  return event_totals.length > maxEventNames * MIN_TOTAL_CHARACTERS;
}

/** A stored profile as something that can be added to another one. */
export function deltaOf(row: ProfileRow): ProfileDelta {
  return {
    traits: writtenTraits(row),
    groups: new Set(row.groups ?? []),
    totals: new Map(Object.entries(totalsOf(row))),
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
  const traits = JSON.parse(row.traits) as JsonObject;
  return new Map(
    Object.entries(row.trait_clocks).map(([key, clock]) => {
      const value: JsonValue = Object.hasOwn(traits, key) ? (traits[key] ?? null) : null;
      return [key, { value, clock }];
    }),
  );
}
