import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { madeStatement, queryByKeptPlan, type StatementOf } from '../../platform/database/made-statement';
import type { Measure, MeasuredStep } from '../rules/measure';
import { measuredStepsStatement } from '../rules/measure-to-sql';
import type { MeasuresByEvent } from '../definitions/active-generation';
import { eventsKey, type MeasureField, stepsKey } from '../rules/predicate';
import { firstStepOf, type Window } from '../rules/window';

/** Whose measures are needed, and which. */
export interface MeasuredWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly {
    readonly measures: readonly MeasureField[];
    /** What is read with them, so that there are few different statements; only what is needed where it is undefined. */
    readonly measuresOfAll?: MeasuresByEvent;
  }[];
}

/** Of one person, by `stepsKey`. */
export type PersonMeasures = ReadonlyMap<string, readonly MeasuredStep[]>;

export const NO_MEASURES: PersonMeasures = new Map();

const measuredSteps = madeStatement('measured_steps');

/** A column for each; PostgreSQL has 1,664 in a row at most. */
const MEASURES_AT_ONCE = 200;

/** What is needed of the events of one name, in steps of one length. */
interface Needed {
  readonly event: string;
  readonly measures: Map<string, Measure>;
  readonly subjects: Set<Subject>;
  /** The one that begins first. */
  window: Window;
}

interface StepRow extends Record<string, unknown> {
  readonly subject: Subject;
  readonly step: number;
  readonly values: JsonValue[];
}

/**
 * What these definitions look at in stored events, by person: one statement for each name of events, or two where there
 * are windows of days and of hours, whatever is asked of them; none where there are no measures.
 */
export async function readMeasures(
  work: readonly MeasuredWork[],
  nowMs: number,
  tx: Tx,
  statementOf: StatementOf = measuredSteps,
): Promise<ReadonlyMap<Subject, PersonMeasures>> {
  const found = new Map<Subject, Map<string, MeasuredStep[]>>();
  // They travel together.
  const reads = [...neededOf(work, nowMs)].flatMap(partsOf).map(async (needed) => {
    const { event, measures, subjects, window } = needed;
    const { text, params } = measuredStepsStatement({
      event,
      measures: [...measures.values()],
      subjects: [...subjects],
      unit: window.unit,
      firstStep: firstStepOf(window, nowMs),
    });
    const rows = await queryByKeptPlan<StepRow>(statementOf(text), params, tx);
    return { rows, keys: [...measures.keys()] };
  });
  for (const { rows, keys } of await Promise.all(reads)) {
    for (const row of rows) addStep(found, row, keys);
  }
  return found;
}

function partsOf(needed: Needed): Needed[] {
  const all = [...needed.measures];
  return Array.from({ length: Math.ceil(all.length / MEASURES_AT_ONCE) }, (_, part) => {
    const from = part * MEASURES_AT_ONCE;
    return { ...needed, measures: new Map(all.slice(from, from + MEASURES_AT_ONCE)) };
  });
}

function neededOf(work: readonly MeasuredWork[], nowMs: number): Iterable<Needed> {
  const needed = new Map<string, Needed>();
  for (const { facts, generations } of work) {
    for (const { measures, measuresOfAll } of generations) {
      for (const field of measures) {
        const { measure, window } = field;
        const { event } = measure;
        const key = eventsKey(field);
        const known = needed.get(key) ?? {
          event,
          measures: new Map(measuresOfAll?.get(key)),
          subjects: new Set(),
          window,
        };
        known.measures.set(stepsKey(field), measure);
        known.subjects.add(facts.subject);
        if (firstStepOf(window, nowMs) < firstStepOf(known.window, nowMs)) known.window = window;
        needed.set(key, known);
      }
    }
  }
  return needed.values();
}

function addStep(
  found: Map<Subject, Map<string, MeasuredStep[]>>,
  { subject, step, values }: StepRow,
  keys: readonly string[],
): void {
  const ofPerson = found.get(subject) ?? new Map<string, MeasuredStep[]>();
  found.set(subject, ofPerson);
  for (const [at, key] of keys.entries()) {
    const steps = ofPerson.get(key) ?? [];
    ofPerson.set(key, steps);
    steps.push({ step, value: values[at] ?? null });
  }
}
