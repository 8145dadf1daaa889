import type { JsonValue } from '../events/customer-event';
import { sameJson } from '../events/same-json';
import { compareStrings } from './compare-values';
import { parseTimestamp } from '../events/parse-timestamp';
import { type Comparand, listOf, textOf, valueOf } from './comparand';
import type { Operator } from './operators';

/** Whether a value passes; `undefined` is a value that is not there. */
export type ValueTest = (value: JsonValue | undefined, nowMs: number) => boolean;

/**
 * The meaning of each operator, value by value (`docs/segments.md`). Values are never converted: a test of another
 * type than the value is false, and so its negation true. `rule-to-sql.ts` says the same in SQL.
 */
export function compileOperator(operator: Operator, comparand: Comparand): ValueTest {
  switch (operator) {
    case 'exists':
      return (value) => !isMissing(value);
    case 'not_exists':
      return isMissing;
    case 'eq':
      return equals(valueOf(comparand));
    case 'neq':
      return not(equals(valueOf(comparand)));
    case 'in':
      return isIn(listOf(comparand));
    case 'not_in':
      return not(isIn(listOf(comparand)));
    case 'contains':
      return contains(valueOf(comparand));
    case 'not_contains':
      return not(contains(valueOf(comparand)));
    case 'starts_with':
    case 'ends_with': {
      const part = textOf(comparand);
      return operator === 'starts_with'
        ? (value) => typeof value === 'string' && value.startsWith(part)
        : (value) => typeof value === 'string' && value.endsWith(part);
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compares(operator, comparand);
  }
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function not(test: ValueTest): ValueTest {
  return (value, nowMs) => !test(value, nowMs);
}

function equals(expected: JsonValue): ValueTest {
  if (expected === null) return isMissing;
  if (typeof expected === 'object') return (value) => value !== undefined && sameJson(value, expected);
  const instant = typeof expected === 'string' ? parseTimestamp(expected) : undefined;
  if (instant !== undefined) return (value) => typeof value === 'string' && parseTimestamp(value) === instant;
  return (value) => value === expected;
}

function isIn(values: readonly JsonValue[]): ValueTest {
  const scalars = new Set<JsonValue | undefined>(values.filter(isPlainScalar));
  const others = values.filter((value) => !isPlainScalar(value)).map(equals);
  return (value, nowMs) => scalars.has(value) || others.some((test) => test(value, nowMs));
}

/** Equal only to itself: no date, which can be written in several ways, and not null, which stands for missing. */
export function isPlainScalar(value: JsonValue): boolean {
  return typeof value === 'string' ? parseTimestamp(value) === undefined : typeof value !== 'object';
}

function contains(part: JsonValue): ValueTest {
  const isPart = equals(part);
  return (value, nowMs) => {
    if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
    return Array.isArray(value) && value.some((item) => isPart(item, nowMs));
  };
}

type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

function compares(operator: OrderOperator, comparand: Comparand): ValueTest {
  const holds = ORDERS[operator];
  if (comparand.kind === 'ago') {
    const { ms } = comparand;
    return (value, nowMs) => {
      const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
      return instant !== undefined && holds(instant, nowMs - ms);
    };
  }
  const bound = valueOf(comparand);
  if (typeof bound === 'number') return (value) => typeof value === 'number' && holds(value, bound);
  const text = textOf(comparand);
  const boundInstant = parseTimestamp(text);
  if (boundInstant === undefined) {
    return (value) => typeof value === 'string' && holds(compareStrings(value, text), 0);
  }
  return (value) => {
    const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
    return instant !== undefined && holds(instant, boundInstant);
  };
}

const ORDERS: Readonly<Record<OrderOperator, (left: number, right: number) => boolean>> = {
  gt: (left, right) => left > right,
  gte: (left, right) => left >= right,
  lt: (left, right) => left < right,
  lte: (left, right) => left <= right,
};
