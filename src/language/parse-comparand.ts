import { isUUID } from 'class-validator';
import type { JsonValue } from '../events/customer-event';
import { parseTimestamp } from '../events/parse-timestamp';
import { findUnstorable } from '../platform/http/input/find-unstorable';
import type { InputProblems } from '../platform/http/input/input-problems';
import { MAX_JSON_LENGTH, MAX_LIST_LENGTH, MAX_STRING_LENGTH } from './limits';
import type { Comparand } from './comparand';
import type { Operator } from './operators';

/** What the values are that are compared. */
export type Compared = 'anything' | 'number' | 'time' | 'group' | 'segment';

/** Why a value cannot be compared with: for people. */
interface BadValue {
  readonly problem: string;
}

/** Those that compare with one value. */
type ComparingOperator = Exclude<Operator, 'exists' | 'not_exists' | 'in' | 'not_in'>;

const AGO = /^([1-9][0-9]{0,4})([hdw])$/;
const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/**
 * The value of a condition at `path`, checked against what it is compared with and the operator, which go together
 * already.
 */
export function readComparand(
  { value, operator, compared }: { value: unknown; operator: Operator; compared: Compared },
  path: string,
  problems: InputProblems,
): Comparand | undefined {
  const comparand = parseComparand(value, operator, compared);
  return 'problem' in comparand
    ? problems.fail(`${path}.value`, 'invalid_value', `The value ${comparand.problem}.`)
    : comparand;
}

function parseComparand(value: unknown, operator: Operator, compared: Compared): Comparand | BadValue {
  if (operator === 'exists' || operator === 'not_exists') return parseNothing(value);
  if (value === undefined) return { problem: `is required with ${operator}` };
  if (operator === 'in' || operator === 'not_in') return parseList(value, compared);
  const problem = sizeProblem(value);
  if (problem !== undefined) return { problem };
  switch (compared) {
    case 'number':
      return typeof value === 'number' ? comparand(value) : { problem: 'must be a number here' };
    case 'time':
      return parseTime(value, operator);
    case 'group':
      return typeof value === 'string' ? comparand(value) : { problem: 'must be a group id (a string)' };
    case 'segment':
      return typeof value === 'string' && isUUID(value)
        ? comparand(value.toLowerCase())
        : { problem: 'must be the id of a segment' };
    case 'anything':
      return parseAnything(value, operator);
  }
}

function comparand(value: unknown): Comparand {
  return { kind: 'value', value: value as JsonValue };
}

function parseNothing(value: unknown): Comparand | BadValue {
  // Forms that always send a value send null or true here.
  if (value === undefined || value === null || value === true) return { kind: 'none' };
  return { problem: 'must be left out with exists and not_exists' };
}

function parseList(value: unknown, compared: Compared): Comparand | BadValue {
  if (!Array.isArray(value) || value.length === 0)
    return { problem: 'must be an array with at least one value' };
  if (value.length > MAX_LIST_LENGTH) return { problem: `must have at most ${MAX_LIST_LENGTH} values` };
  for (const [index, item] of value.entries()) {
    const problem = sizeProblem(item);
    if (problem !== undefined) return { problem: `[${index}] ${problem}` };
    if (compared === 'number' && typeof item !== 'number') {
      return { problem: `[${index}] must be a number here` };
    }
  }
  return { kind: 'list', values: value as JsonValue[] };
}

function parseTime(value: unknown, operator: Operator): Comparand | BadValue {
  if (typeof value === 'string') {
    if (parseTimestamp(value) !== undefined) return comparand(value);
    const [, count, unit = ''] = AGO.exec(value) ?? [];
    const unitMs = UNIT_MS[unit];
    if (unitMs !== undefined && operator !== 'eq' && operator !== 'neq') {
      return { kind: 'ago', ms: Number(count) * unitMs };
    }
    if (unitMs !== undefined)
      return { problem: 'must be a date with eq and neq: no time is exactly so long ago' };
  }
  return { problem: 'must be an ISO 8601 date, or a time ago such as 12h, 30d or 2w' };
}

/** Without a default: the compiler asks for what a new operator compares with. */
function parseAnything(value: unknown, operator: ComparingOperator): Comparand | BadValue {
  switch (operator) {
    case 'eq':
    case 'neq':
      return comparand(value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value === 'number' || typeof value === 'string') return comparand(value);
      return { problem: `must be a number or a string (an ISO 8601 date is one) with ${operator}` };
    case 'starts_with':
    case 'ends_with':
      return typeof value === 'string' ? comparand(value) : { problem: `must be a string with ${operator}` };
    case 'contains':
    case 'not_contains':
      if (value === null) return { problem: `must not be null with ${operator}; use exists or not_exists` };
      return comparand(value);
  }
}

/** Says what makes a value too large, or impossible to store. */
function sizeProblem(value: unknown): string | undefined {
  const unstorable = findUnstorable(value, '');
  if (unstorable !== undefined) return `${unstorable.path} ${unstorable.problem}`.trimStart();
  if (typeof value === 'string') return lengthProblem(value, MAX_STRING_LENGTH);
  if (typeof value !== 'object' || value === null) return undefined;
  return lengthProblem(JSON.stringify(value), MAX_JSON_LENGTH);
}

/** Characters are counted as PostgreSQL counts them. */
function lengthProblem(text: string, maxLength: number): string | undefined {
  if (text.length <= maxLength || Array.from(text).length <= maxLength) return undefined;
  return `must have at most ${maxLength} characters`;
}
