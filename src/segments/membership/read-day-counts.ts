import { EVENT_TYPES, type Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { type AskedDays, readDays } from '../../profiles/reading/read-days';
import { type DayCount, dayOf } from '../../profiles/state/day-counts';
import { countsOfTypes } from '../../profiles/state/day-types';
import { firstDayOf, type TypeCount } from '../rules/memory/read-field';
import type { EventCountField } from '../rules/predicate';

/** Whose counts are needed, and which. */
export interface CountingWork {
  readonly facts: { readonly subject: Subject; readonly firstSeenAt: string };
  readonly generations: readonly { readonly dayCounts: readonly EventCountField[] }[];
}

/** The counts per day that the definitions of each person look at; no statement where they look at none. */
export async function readDayCounts(
  work: readonly CountingWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, readonly TypeCount[]>> {
  const bySubject = new Map<Subject, TypeCount[]>();
  const asked = work.flatMap((person) => askedOf(person, nowMs));
  if (asked.length === 0) return bySubject;
  for (const row of await readDays(asked, tx)) {
    const counts = bySubject.get(row.subject);
    if (counts === undefined) bySubject.set(row.subject, countsByType(row));
    else counts.push(...countsByType(row));
  }
  return bySubject;
}

/** Each name since its longest window, and up to where the days of all names begin: no day is asked for twice. */
function askedOf({ facts, generations }: CountingWork, nowMs: number): AskedDays[] {
  const { subject } = facts;
  const firstSeen = dayOf(Date.parse(facts.firstSeenAt));
  const firstDays = new Map<string | undefined, number>();
  for (const field of generations.flatMap(({ dayCounts }) => dayCounts)) {
    const known = firstDays.get(field.event) ?? Infinity;
    firstDays.set(field.event, Math.min(known, firstDayOf(field, nowMs)));
  }
  const firstOfAll = firstDays.get(undefined);
  return Array.from(firstDays, ([name, firstDay]) => ({
    subject,
    name,
    firstDay: Math.max(firstDay, firstSeen),
    endDay: name === undefined ? undefined : firstOfAll,
  })).filter(({ firstDay, endDay = Infinity }) => firstDay < endDay);
}

function countsByType({ name, day, count, types }: DayCount): TypeCount[] {
  return countsOfTypes(name, count, types).flatMap((ofType, index) =>
    ofType === 0 ? [] : { name, day, count: ofType, type: EVENT_TYPES[index] ?? 'track' },
  );
}
