import { EVENT_TYPES, type Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { countsOfTypes, type DayTypes } from '../../profiles/state/day-types';
import { type DayCount, firstDayOf } from '../rules/read-field';
import type { WindowNeeds } from '../rules/next-change';

/** Without names ($2 is null): of all events. */
const readDayCountsSql = {
  name: 'segment-read-day-counts',
  text: `
    select subject, name, day - date '1970-01-01' as day, count, types from profile_day
    where subject = any($1::text[]) and ($2::text[] is null or name = any($2)) and day >= date '1970-01-01' + $3::integer`,
};

interface DayRow {
  readonly subject: Subject;
  readonly name: string;
  readonly day: number;
  readonly count: number;
  readonly types: DayTypes;
}

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
  const rows = await tx.query<DayRow>(readDayCountsSql, [
    windowed.map(({ facts }) => facts.subject),
    events,
    Math.min(...needs.map(({ withinDays }) => firstDayOf(withinDays, nowMs))),
  ]);
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
