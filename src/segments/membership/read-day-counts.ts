import { EVENT_TYPES, type Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { type DayRow, readDays } from '../../profiles/reading/read-days';
import { countsOfTypes } from '../../profiles/state/day-types';
import { type DayCount, firstDayOf } from '../rules/memory/read-field';
import type { WindowNeeds } from '../rules/memory/next-change';

/** Whose counts are needed, and for which windows. */
export interface WindowedWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly { readonly window: WindowNeeds | undefined }[];
}

/** The counts per day that the windows of these definitions look at; no statement where there are no windows. */
export async function readDayCounts(
  work: readonly WindowedWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, readonly DayCount[]>> {
  const bySubject = new Map<Subject, DayCount[]>();
  const windowed = work.filter(({ generations }) => generations.some(({ window }) => window !== undefined));
  if (windowed.length === 0) return bySubject;
  const needs = windowed.flatMap(({ generations }) => generations.flatMap(({ window }) => window ?? []));
  const events = needs.some((need) => need.events === undefined)
    ? null
    : [...new Set(needs.flatMap((need) => need.events ?? []))];
  const subjects = windowed.map(({ facts }) => facts.subject);
  const firstDay = Math.min(...needs.map(({ withinDays }) => firstDayOf(withinDays, nowMs)));
  const rows = await readDays(subjects, events, firstDay, tx);
  for (const row of rows) {
    const counts = bySubject.get(row.subject);
    if (counts === undefined) bySubject.set(row.subject, countsByType(row));
    else counts.push(...countsByType(row));
  }
  return bySubject;
}

function countsByType({ name, day, count, types }: DayRow): DayCount[] {
  return countsOfTypes(name, count, types).flatMap((ofType, place) =>
    ofType === 0 ? [] : { name, day, count: ofType, type: EVENT_TYPES[place] ?? 'track' },
  );
}
