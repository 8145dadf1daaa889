import type { Subject } from '../../events/customer-event';
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

interface Needed {
  readonly measure: Measure;
  readonly subjects: Set<Subject>;
  withinDays: number;
}

/**
 * What these definitions look at in stored events, by person: one statement for each measure, whichever definitions share
 * it, and none where there are no measures.
 */
export async function readMeasures(
  work: readonly MeasuredWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, PersonMeasures>> {
  const found = new Map<Subject, Map<string, MeasuredDay[]>>();
  for (const [key, { measure, subjects, withinDays }] of neededBy(work)) {
    const { text, params } = measuredDaysStatement(measure, [...subjects], firstDayOf(withinDays, nowMs));
    const rows = await tx.query<MeasuredDay & { subject: Subject }>(text, [...params]);
    for (const { subject, day, value } of rows) {
      const ofPerson = found.get(subject) ?? new Map<string, MeasuredDay[]>();
      found.set(subject, ofPerson.set(key, [...(ofPerson.get(key) ?? []), { day, value }]));
    }
  }
  return found;
}

function neededBy(work: readonly MeasuredWork[]): Map<string, Needed> {
  const needed = new Map<string, Needed>();
  for (const { facts, generations } of work) {
    for (const { measure, withinDays } of generations.flatMap(({ measures }) => measures)) {
      const key = measureKey(measure);
      const known = needed.get(key) ?? { measure, subjects: new Set(), withinDays };
      known.subjects.add(facts.subject);
      known.withinDays = Math.max(known.withinDays, withinDays);
      needed.set(key, known);
    }
  }
  return needed;
}
