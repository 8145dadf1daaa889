import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import {
  madeStatement,
  plannedEachTime,
  queryByKeptPlans,
} from '../../platform/database/statements/made-statement';
import type { MeasuredStep } from '../rules/measure';
import { measuredStepsStatement, type MeasuredSteps } from '../rules/sql/measure-to-sql';
import type { MeasureGroup, MeasureRead } from '../rules/sql/measure-groups';
import { firstStepOf } from '../rules/window';

/** Whose measures are needed, and which. */
interface MeasuredWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly { readonly reads: readonly MeasureRead[] }[];
}

/** Of one person, by `stepsKey`. */
export type PersonMeasures = ReadonlyMap<string, readonly MeasuredStep[]>;

export const NO_MEASURES: PersonMeasures = new Map();

const measuredSteps = madeStatement('measured_steps');

/** Of each group that was read so far: they are the same for as long as the definitions are. */
const statements = new WeakMap<MeasureGroup, MeasuredSteps>();

function statementOfGroup(group: MeasureGroup): MeasuredSteps {
  const made = statements.get(group) ?? measuredStepsStatement([...group.measures.values()], group.unit);
  statements.set(group, made);
  return made;
}

/** What is needed of the measures of one group. */
interface Needed {
  readonly group: MeasureGroup;
  readonly subjects: Set<Subject>;
  /** Since which the longest window is. */
  firstStep: number;
}

interface StepRow {
  readonly subject: Subject;
  readonly step: number;
  readonly values: JsonValue[];
}

/**
 * What these definitions look at in stored events, by person: a statement for each group of measures that anybody
 * needs. They travel together; there is none where there are no measures.
 */
export async function readMeasures(
  work: readonly MeasuredWork[],
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, PersonMeasures>> {
  const needed = neededOf(work, nowMs);
  const queries = needed.map(({ group, subjects, firstStep }) => {
    const { text, paramsOf } = statementOfGroup(group);
    const statementOf = group.isLasting ? measuredSteps : plannedEachTime;
    return { statement: statementOf(text), params: paramsOf([...subjects], firstStep) };
  });
  const found = new Map<Subject, Map<string, readonly MeasuredStep[]>>();
  for (const [at, rows] of (await queryByKeptPlans<StepRow>(queries, tx)).entries()) {
    const keys = [...(needed[at]?.group.measures.keys() ?? [])];
    for (const [subject, steps] of stepsIn(rows, keys))
      found.set(subject, new Map([...(found.get(subject) ?? []), ...steps]));
  }
  return found;
}

/** What reads far back comes last, because a measure can be in a group of segments and in one of computed traits. */
function neededOf(work: readonly MeasuredWork[], nowMs: number): Needed[] {
  const needed = new Map<MeasureGroup, Needed>();
  for (const { facts, generations } of work) {
    for (const { reads } of generations) {
      for (const { group, window } of reads) {
        const firstStep = firstStepOf(window, nowMs);
        const known = needed.get(group) ?? { group, subjects: new Set(), firstStep };
        known.subjects.add(facts.subject);
        known.firstStep = Math.min(known.firstStep, firstStep);
        needed.set(group, known);
      }
    }
  }
  return [...needed.values()].toSorted((a, b) => b.firstStep - a.firstStep);
}

/** By person, and then by the measures that are in each row, in their order. */
function stepsIn(
  rows: readonly StepRow[],
  keys: readonly string[],
): ReadonlyMap<Subject, ReadonlyMap<string, readonly MeasuredStep[]>> {
  const found = new Map<Subject, Map<string, MeasuredStep[]>>();
  for (const { subject, step, values } of rows) {
    const ofPerson = found.get(subject) ?? new Map(keys.map((key): [string, MeasuredStep[]] => [key, []]));
    found.set(subject, ofPerson);
    for (const [at, key] of keys.entries()) ofPerson.get(key)?.push({ step, value: values[at] ?? null });
  }
  return found;
}
