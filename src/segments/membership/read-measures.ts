import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { type Measure, type MeasuredDay, measureKey } from '../rules/measure';
import { measuredDaysStatement } from '../rules/measure-to-sql';
import type { MeasureField } from '../rules/predicate';
import { firstDayOf } from '../rules/read-field';

/** Whose measures are needed, and which. */
export interface MeasuredWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly { readonly measures: readonly MeasureField[] }[];
}

/** Of one person, by `measureKey`. */
export type PersonMeasures = ReadonlyMap<string, readonly MeasuredDay[]>;

export const NO_MEASURES: PersonMeasures = new Map();

/** A column for each; PostgreSQL has 1,664 in a row at most. */
const MEASURES_AT_ONCE = 200;

/** What is needed of the events of one name. */
interface Needed {
  readonly measures: Map<string, Measure>;
  readonly subjects: Set<Subject>;
  withinDays: number;
}

interface DayRow extends Record<string, unknown> {
  readonly subject: Subject;
  readonly day: number;
  readonly values: JsonValue[];
}

/**
 * What these definitions look at in stored events, by person: one statement for each name of events, whatever is asked
 * of them, and none where there are no measures.
 */
export async function readMeasures(
  work: readonly MeasuredWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, PersonMeasures>> {
  const found = new Map<Subject, Map<string, MeasuredDay[]>>();
  for (const [event, { measures, subjects, withinDays }] of neededOf(work)) {
    const all = [...measures];
    for (let from = 0; from < all.length; from += MEASURES_AT_ONCE) {
      const part = all.slice(from, from + MEASURES_AT_ONCE);
      const { text, params } = measuredDaysStatement({
        event,
        measures: part.map(([, measure]) => measure),
        subjects: [...subjects],
        firstDay: firstDayOf(withinDays, nowMs),
      });
      const keys = part.map(([key]) => key);
      for (const row of await tx.query<DayRow>(text, [...params])) addDay(found, row, keys);
    }
  }
  return found;
}

function neededOf(work: readonly MeasuredWork[]): Map<string, Needed> {
  const needed = new Map<string, Needed>();
  for (const { facts, generations } of work) {
    for (const { measure, withinDays } of generations.flatMap(({ measures }) => measures)) {
      const known = needed.get(measure.event) ?? { measures: new Map(), subjects: new Set(), withinDays };
      known.measures.set(measureKey(measure), measure);
      known.subjects.add(facts.subject);
      known.withinDays = Math.max(known.withinDays, withinDays);
      needed.set(measure.event, known);
    }
  }
  return needed;
}

function addDay(
  found: Map<Subject, Map<string, MeasuredDay[]>>,
  { subject, day, values }: DayRow,
  keys: readonly string[],
): void {
  const ofPerson = found.get(subject) ?? new Map<string, MeasuredDay[]>();
  found.set(subject, ofPerson);
  for (const [at, key] of keys.entries()) {
    const days = ofPerson.get(key) ?? [];
    ofPerson.set(key, days);
    days.push({ day, value: values[at] ?? null });
  }
}
