import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { madeStatement, queryByKeptPlan, type StatementOf } from '../../platform/database/made-statement';
import type { MeasuredStep } from '../rules/measure';
import { measuredStepsStatement } from '../rules/measure-to-sql';
import { groupMeasures, type MeasureGroup, type MeasureGroups } from '../rules/measure-groups';
import { type MeasureField, stepsKey } from '../rules/predicate';
import { firstStepOf } from '../rules/window';

/** Whose measures are needed, and which. */
export interface MeasuredWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly {
    readonly measures: readonly MeasureField[];
    /** The groups of all that any definition looks at. */
    readonly groupsOfAll?: MeasureGroups;
  }[];
}

/** Of one person, by `stepsKey`. */
export type PersonMeasures = ReadonlyMap<string, readonly MeasuredStep[]>;

export const NO_MEASURES: PersonMeasures = new Map();

const measuredSteps = madeStatement('measured_steps');

/** What is needed of the measures of one group. */
interface Needed {
  readonly group: MeasureGroup;
  readonly subjects: Set<Subject>;
  /** Since which the longest window is. */
  firstStep: number;
}

interface StepRow extends Record<string, unknown> {
  readonly subject: Subject;
  readonly step: number;
  readonly values: JsonValue[];
}

/**
 * What these definitions look at in stored events, by person: a statement for each group of measures that anybody needs.
 * They travel together; there is none where there are no measures.
 */
export async function readMeasures(
  work: readonly MeasuredWork[],
  nowMs: number,
  tx: Tx,
  statementOf: StatementOf = measuredSteps,
): Promise<ReadonlyMap<Subject, PersonMeasures>> {
  const reads = neededOf(work, nowMs).map(async ({ group: { unit, measures }, subjects, firstStep }) => {
    const { text, params } = measuredStepsStatement({
      measures: [...measures.values()],
      subjects: [...subjects],
      unit,
      firstStep,
    });
    const rows = await queryByKeptPlan<StepRow>(statementOf(text), params, tx);
    return { rows, keys: [...measures.keys()] };
  });
  const found = new Map<Subject, Map<string, MeasuredStep[]>>();
  for (const { rows, keys } of await Promise.all(reads)) {
    for (const row of rows) addStep(found, row, keys);
  }
  return found;
}

function neededOf(work: readonly MeasuredWork[], nowMs: number): Needed[] {
  const needed = new Map<MeasureGroup, Needed>();
  const groupOf = groupsOf(work);
  for (const { facts, generations } of work) {
    for (const field of generations.flatMap(({ measures }) => measures)) {
      const group = groupOf.get(stepsKey(field));
      if (group === undefined) continue;
      const firstStep = firstStepOf(field.window, nowMs);
      const known = needed.get(group) ?? { group, subjects: new Set(), firstStep };
      known.subjects.add(facts.subject);
      known.firstStep = Math.min(known.firstStep, firstStep);
      needed.set(group, known);
    }
  }
  return [...needed.values()];
}

/** Those of all definitions, so that the statements are the same each time, and of what is not among them. */
function groupsOf(work: readonly MeasuredWork[]): ReadonlyMap<string, MeasureGroup> {
  const generations = new Set(work.flatMap((each) => each.generations));
  const groups = new Map<string, MeasureGroup>();
  const others: MeasureField[] = [];
  for (const { measures, groupsOfAll } of generations) {
    if (groupsOfAll === undefined) others.push(...measures);
    else
      for (const field of measures) {
        const group = groupsOfAll.get(stepsKey(field));
        if (group !== undefined) groups.set(stepsKey(field), group);
      }
  }
  const missing = others.filter((field) => !groups.has(stepsKey(field)));
  return missing.length === 0 ? groups : new Map([...groupMeasures(missing), ...groups]);
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
