import type { JsonValue } from '../events/customer-event';
import { parseTimestamp } from '../events/parse-timestamp';
import { timestampToSql } from './timestamp-to-sql';
import { type Comparand, listOf, textOf, valueOf } from './comparand';
import type { Operator } from './operators';
import type { SqlValues } from './sql-values';

/** What is asked of a value. */
interface Comparison {
  readonly operator: Operator;
  readonly comparand: Comparand;
}

/** A test of a jsonb expression that may be null; what `compileOperator` says, in SQL. True or false, never null. */
export function jsonTestToSql(value: string, { operator, comparand }: Comparison, values: SqlValues): string {
  switch (operator) {
    case 'exists':
      return `not ${isMissing(value)}`;
    case 'not_exists':
      return isMissing(value);
    case 'eq':
      return equals(value, valueOf(comparand), values);
    case 'neq':
      return `not ${equals(value, valueOf(comparand), values)}`;
    case 'in':
      return isIn(value, comparand, values);
    case 'not_in':
      return `not ${isIn(value, comparand, values)}`;
    case 'contains':
      return contains(value, valueOf(comparand), values);
    case 'not_contains':
      return `not ${contains(value, valueOf(comparand), values)}`;
    case 'starts_with':
      return whenString(value, (text) => `starts_with(${text}, ${values.text(textOf(comparand))})`);
    case 'ends_with': {
      const part = values.text(textOf(comparand));
      return whenString(value, (text) => `right(${text}, char_length(${part})) = ${part}`);
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compares(value, comparisonOf(operator), { comparand, values });
  }
}

/** A test of a timestamptz expression that may be null. */
export function timeTestToSql(column: string, operator: Operator, at: string): string {
  return `coalesce(${column} ${comparisonOf(operator)} ${at}, ${operator === 'neq'})`;
}

const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Of an operator that compares with one value. */
export function comparisonOf(operator: Operator): string {
  return COMPARISONS[operator] ?? '=';
}

function isMissing(value: string): string {
  return `(coalesce(jsonb_typeof(${value}), 'null') = 'null')`;
}

function equals(value: string, expected: JsonValue, values: SqlValues): string {
  if (expected === null) return isMissing(value);
  const instant = typeof expected === 'string' ? parseTimestamp(expected) : undefined;
  if (instant !== undefined)
    return `coalesce(${instantOfSql(value)} = ${instantParam(instant, values)}, false)`;
  return `coalesce(${value} = ${values.json(expected)}, false)`;
}

function isIn(value: string, comparand: Comparand, values: SqlValues): string {
  const expected = listOf(comparand);
  const isInstant = (item: JsonValue): boolean =>
    typeof item === 'string' && parseTimestamp(item) !== undefined;
  const plain = expected.filter((item) => item !== null && !isInstant(item));
  const tests = expected
    .filter((item) => item === null || isInstant(item))
    .map((item) => equals(value, item, values));
  if (plain.length > 0) {
    const array = values.add(
      plain.map((item) => JSON.stringify(item)),
      'jsonb[]',
    );
    tests.push(`coalesce(${value} = any(${array}), false)`);
  }
  return `(${tests.join(' or ')})`;
}

function contains(value: string, part: JsonValue, values: SqlValues): string {
  const isElement = hasElement(value, part, values);
  const isSubstring =
    typeof part === 'string'
      ? ` when jsonb_typeof(${value}) = 'string' then strpos(${stringOf(value)}, ${values.text(part)}) > 0`
      : '';
  return `(case when jsonb_typeof(${value}) = 'array' then ${isElement}${isSubstring} else false end)`;
}

/** `@>` would do for scalars, but finds part of an object or array in a larger one. */
function hasElement(array: string, part: JsonValue, values: SqlValues): string {
  if (typeof part !== 'object' && !(typeof part === 'string' && parseTimestamp(part) !== undefined)) {
    return `${array} @> ${values.json([part])}`;
  }
  // The case keeps jsonb_array_elements away from anything else, wherever the planner puts it.
  return `exists (select 1 from jsonb_array_elements(
    case when jsonb_typeof(${array}) = 'array' then ${array} else '[]' end) as element
    where ${equals('element', part, values)})`;
}

interface Bound {
  readonly comparand: Comparand;
  readonly values: SqlValues;
}

function compares(value: string, comparison: string, { comparand, values }: Bound): string {
  const bound = valueOf(comparand);
  if (typeof bound === 'number') {
    const number = values.add(String(bound), 'numeric');
    return `(case when jsonb_typeof(${value}) = 'number' then (${value})::numeric ${comparison} ${number} else false end)`;
  }
  const text = textOf(comparand);
  const instant = parseTimestamp(text);
  if (instant !== undefined) {
    return `coalesce(${instantOfSql(value)} ${comparison} ${instantParam(instant, values)}, false)`;
  }
  return whenString(value, (string) => `${string} collate "C" ${comparison} ${values.text(text)}`);
}

function whenString(value: string, test: (text: string) => string): string {
  return `(case when jsonb_typeof(${value}) = 'string' then ${test(stringOf(value))} else false end)`;
}

/** Null unless the value is a string that is a date: no number, array or object reads like one. */
function instantOfSql(value: string): string {
  return `segment_instant(${stringOf(value)})`;
}

function instantParam(instant: number, values: SqlValues): string {
  return values.add(timestampToSql(instant), 'timestamptz');
}

function stringOf(value: string): string {
  return `(${value} #>> '{}')`;
}
