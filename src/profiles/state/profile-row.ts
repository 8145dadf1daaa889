import type { JsonObject, Subject } from '../../events/customer-event';
import type { EventTotal, ProfileFacts } from '../touched-profile';
import type { Total } from './profile-delta';

/** The state of a profile as PostgreSQL returns it; see {@link factColumnsSql}. JSON is parsed where it is needed. */
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

/** The columns of {@link FactsRow}, of the table `p`. */
export const factColumnsSql = `
  p.subject, p.traits::text as traits, nullif(p.groups, '{}') as groups, p.event_count::float8 as event_count,
  p.event_totals::text as event_totals,
  (extract(epoch from p.first_seen_at) * 1000)::float8 as first_seen_ms,
  (extract(epoch from p.last_seen_at) * 1000)::float8 as last_seen_ms`;

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

/** Milliseconds since 1970 as ISO 8601 in UTC. */
function isoTime(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}
