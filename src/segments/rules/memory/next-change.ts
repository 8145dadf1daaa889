import { compileOperator } from '../../../language/compile-operator';
import { parseTimestamp } from '../../../events/parse-timestamp';
import { compilePredicate } from './compile-predicate';
import {
  type Condition,
  type EventCountField,
  type MeasureField,
  type Predicate,
  type SequenceField,
} from '../predicate';
import {
  compileField,
  compileMeasuredSteps,
  compileSpans,
  countsOf,
  measuredSince,
  type SegmentFacts,
  type TypeCount,
} from './read-field';
import { leavesAtMs, type Window } from '../window';

/** When a verdict may change with no event, not later than it does: milliseconds since 1970, or null for never. */
export type NextChange = (facts: SegmentFacts) => number | null;

/** Undefined for a predicate that time alone does not change. */
export function compileNextChange(predicate: Predicate): NextChange | undefined {
  switch (predicate.kind) {
    case 'condition':
      return nextChangeOf(predicate);
    case 'not':
      return compileNextChange(predicate.of);
    case 'all':
    case 'any':
      return partsChange(predicate.of, predicate.kind === 'all');
  }
}

/**
 * One part that is against what holds for the others, false among `all` or true among `any`, decides; so nothing
 * changes before each such part has. Where there is none, the first change of any part changes the verdict.
 */
function partsChange(of: readonly Predicate[], isAll: boolean): NextChange | undefined {
  const parts = of.map((part) => ({ test: compilePredicate(part), nextChange: compileNextChange(part) }));
  if (parts.every(({ nextChange }) => nextChange === undefined)) return undefined;
  return (facts) => {
    let last: number | null = null;
    for (const { test, nextChange } of parts) {
      if (test(facts) === isAll) continue;
      const ms = nextChange?.(facts) ?? null;
      if (ms === null) return null;
      last = Math.max(last ?? ms, ms);
    }
    if (last !== null) return last;
    let first: number | null = null;
    for (const { nextChange } of parts) {
      const ms = nextChange?.(facts) ?? null;
      if (ms !== null) first = Math.min(first ?? ms, ms);
    }
    return first;
  };
}

function nextChangeOf(condition: Condition): NextChange | undefined {
  const { field, comparand } = condition;
  if (comparand.kind === 'ago') return agePasses(condition, comparand.ms);
  if (field.kind === 'event_count' && field.window !== undefined) {
    return daysPass(condition, field, field.window);
  }
  if (field.kind === 'measure') return stepsPass(condition, field);
  if (field.kind === 'sequence') return spanPasses(field);
  return undefined;
}

/** A time becomes older than `ms`. From the millisecond after, `gte` and `lt` have changed as well. */
function agePasses({ field }: Condition, ms: number): NextChange {
  const read = compileField(field);
  return (facts) => {
    const value = read(facts);
    const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (instant === undefined) return null;
    const passesMs = instant + ms + 1;
    return passesMs > facts.nowMs ? passesMs : null;
  };
}

/** Days leave the window, the oldest first, until the verdict of the condition is another one. */
function daysPass({ operator, comparand }: Condition, field: EventCountField, window: Window): NextChange {
  const test = compileOperator(operator, comparand);
  return (facts) => {
    const inWindow = countsOf(field, facts);
    const { nowMs } = facts;
    let sum = inWindow.reduce((total, { count }) => total + count, 0);
    const verdict = test(sum, nowMs);
    for (const [day, count] of byDay(inWindow)) {
      sum -= count;
      if (test(sum, nowMs) !== verdict) return leavesAtMs(day, window);
    }
    return null;
  };
}

/** The same of a measure, which may go up as well: an average, or a sum with negative numbers. */
function stepsPass({ operator, comparand }: Condition, field: MeasureField): NextChange {
  const test = compileOperator(operator, comparand);
  const stepsOf = compileMeasuredSteps(field);
  return (facts) => {
    const { nowMs } = facts;
    const steps = stepsOf(facts);
    const verdict = test(measuredSince(steps[0], field.measure), nowMs);
    const last = steps.find((_, at) => test(measuredSince(steps[at + 1], field.measure), nowMs) !== verdict);
    return last === undefined ? null : leavesAtMs(last.step, field.window);
  };
}

/** The span under way ends, or the next one begins: spans do not touch each other. */
function spanPasses(field: SequenceField): NextChange {
  const spansOf = compileSpans(field);
  return (facts) => {
    const { nowMs } = facts;
    const bounds = spansOf(facts)
      .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
      .filter((ms) => ms > nowMs);
    return bounds.length === 0 ? null : Math.min(...bounds);
  };
}

function byDay(counts: readonly TypeCount[]): [number, number][] {
  const sums = new Map<number, number>();
  for (const { day, count } of counts) sums.set(day, (sums.get(day) ?? 0) + count);
  return [...sums].sort(([left], [right]) => left - right);
}
