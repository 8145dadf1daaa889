import type { JsonValue } from '../../events/customer-event';
import { sameJson } from '../../events/same-json';
import type { MeasuredStep } from './measure';
import type { MeasureField } from './predicate';
import { compileMeasuredSteps, type MeasuredFacts, measuredSince } from './memory/read-field';
import { leavesAtMs } from './window';

/** What a computed trait is for one person. */
export interface NamedValue {
  /** Null where there is none. */
  readonly value: JsonValue;
  /** When it is another one with no event: milliseconds since 1970; null for never. */
  readonly dueMs: number | null;
}

/** The value of a computed trait, from the steps of its window; see `compileNextChange`, which asks for verdicts. */
export function compileNamedValue(field: MeasureField): (facts: MeasuredFacts) => NamedValue {
  const stepsOf = compileMeasuredSteps(field);
  const since = (step: MeasuredStep | undefined): JsonValue => measuredSince(step, field.measure) ?? null;
  return (facts) => {
    const steps = stepsOf(facts);
    const value = since(steps[0]);
    const last = steps.find((_, at) => !sameJson(since(steps[at + 1]), value));
    return { value, dueMs: last === undefined ? null : leavesAtMs(last.step, field.window) };
  };
}
