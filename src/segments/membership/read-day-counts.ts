import { EVENT_TYPES, type Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { readDays } from '../../profiles/reading/read-days';
import type { DayCount } from '../../profiles/state/day-counts';
import { countsOfTypes } from '../../profiles/state/day-types';
import { firstDayOf, type TypeCount } from '../rules/memory/read-field';
import type { EventCountField } from '../rules/predicate';

/** Whose counts are needed, and which. */
export interface CountingWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly { readonly dayCounts: readonly EventCountField[] }[];
}

/** The counts per day that these definitions look at; no statement where they look at none. */
export async function readDayCounts(
  work: readonly CountingWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, readonly TypeCount[]>> {
  const bySubject = new Map<Subject, TypeCount[]>();
  const counting = work.filter(({ generations }) =>
    generations.some(({ dayCounts }) => dayCounts.length > 0),
  );
  if (counting.length === 0) return bySubject;
  const fields = [
    ...new Set(counting.flatMap(({ generations }) => generations.flatMap(({ dayCounts }) => dayCounts))),
  ];
  const names = new Set(fields.map(({ event }) => event));
  const events = names.has(undefined) ? null : [...names].filter((name) => name !== undefined);
  const subjects = counting.map(({ facts }) => facts.subject);
  const firstDay = Math.min(...fields.map((field) => firstDayOf(field, nowMs)));
  const rows = await readDays(subjects, events, firstDay, tx);
  for (const row of rows) {
    const counts = bySubject.get(row.subject);
    if (counts === undefined) bySubject.set(row.subject, countsByType(row));
    else counts.push(...countsByType(row));
  }
  return bySubject;
}

function countsByType({ name, day, count, types }: DayCount): TypeCount[] {
  return countsOfTypes(name, count, types).flatMap((ofType, place) =>
    ofType === 0 ? [] : { name, day, count: ofType, type: EVENT_TYPES[place] ?? 'track' },
  );
}
