import { type CustomerEvent, eventName, type JsonValue } from '../../src/events/customer-event';
import { personTraits } from '../../src/profiles/state/event-traits';

/** Everything that is kept of one person, in a form that two of them can be compared in. */
export interface KnownPerson {
  readonly subjects: string[];
  /** Those of them that no event bears, only an alias as its previousId. */
  readonly onlyAliased: string[];
  readonly traits: Record<string, JsonValue>;
  readonly groups: string[];
  readonly eventCount: number;
  readonly totals: Record<string, { count: number; first: number; last: number }>;
  readonly days: Record<string, number>;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/**
 * What profiles should be, said as plainly as possible: one event after the other, no batches, no concurrency, no
 * incremental state. Who is who is decided event by event; everything else is computed from all events of a person.
 */
export function modelProfiles(events: readonly CustomerEvent[]): KnownPerson[] {
  const people = new Map<string, { name: string }>();
  const personOf = (subject: string): { name: string } => {
    const person = people.get(subject) ?? { name: subject };
    people.set(subject, person);
    return person;
  };
  const isUnlinked = (subject: string): boolean => personOf(subject).name === subject;
  const merge = (from: string, into: string): void => {
    const [ending, staying] = [personOf(from), personOf(into)];
    for (const [subject, person] of people) if (person === ending) people.set(subject, staying);
  };
  for (const event of events) {
    personOf(event.subject);
    if (event.userId === undefined) continue;
    const user = `u:${event.userId}`;
    if (event.anonymousId !== undefined && isUnlinked(`a:${event.anonymousId}`)) {
      merge(`a:${event.anonymousId}`, user);
    }
    if (event.type === 'alias') {
      merge(`u:${event.previousId}`, user);
      if (isUnlinked(`a:${event.previousId}`)) merge(`a:${event.previousId}`, user);
    }
  }
  const used = new Set(
    events.flatMap(({ subject, anonymousId }) => [subject, `a:${anonymousId}`] as string[]),
  );
  return [...new Set(people.values())]
    .map((person) =>
      knownPerson(
        [...people].filter(([, other]) => other === person).map(([subject]) => subject),
        events.filter(({ subject }) => people.get(subject) === person),
        used,
      ),
    )
    .filter(({ eventCount }) => eventCount > 0)
    .sort((a, b) => compare(a.subjects[0], b.subjects[0]));
}

function knownPerson(
  subjects: string[],
  events: readonly CustomerEvent[],
  used: ReadonlySet<string>,
): KnownPerson {
  const times = events.map(({ timestamp }) => Date.parse(timestamp));
  // Names such as toString are none of the members of Object.
  const totals = Object.create(null) as KnownPerson['totals'];
  const days = Object.create(null) as KnownPerson['days'];
  const traits = new Map<string, JsonValue>();
  const inOrder = [...events].sort((a, b) => compare(a.timestamp, b.timestamp) || compare(a.id, b.id));
  for (const event of inOrder) {
    const name = eventName(event);
    const ms = Date.parse(event.timestamp);
    const total = totals[name] ?? { count: 0, first: ms, last: ms };
    totals[name] = {
      count: total.count + 1,
      first: Math.min(total.first, ms),
      last: Math.max(total.last, ms),
    };
    const day = `${name} ${event.timestamp.slice(0, 10)}`;
    days[day] = (days[day] ?? 0) + 1;
    for (const [key, value] of personTraits(event)) traits.set(key, value);
  }
  const groups = events.flatMap((event) => (event.type === 'group' ? [event.groupId] : []));
  return {
    subjects: subjects.sort(compare),
    onlyAliased: subjects.filter((subject) => !used.has(subject)).sort(compare),
    traits: Object.fromEntries([...traits].filter(([, value]) => value !== null)),
    groups: [...new Set(groups)].sort(compare),
    eventCount: events.length,
    totals,
    days,
    firstSeenMs: Math.min(...times),
    lastSeenMs: Math.max(...times),
  };
}

/** By code unit, so without regard to any locale. */
export function compare(a: string | undefined, b: string | undefined): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;
}
