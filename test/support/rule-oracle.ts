import type { JsonValue } from '../../src/events/customer-event';
import type { Operator } from '../../src/language/operators';

/**
 * What docs/segments.md says about the value of a trait, written a second time: plainly, and with no code of the
 * service. `undefined` is a trait that is missing.
 */
export function oracle(operator: Operator, value: JsonValue | undefined, given: JsonValue): boolean {
  switch (operator) {
    case 'neq':
      return !oracle('eq', value, given);
    case 'not_in':
      return !oracle('in', value, given);
    case 'not_contains':
      return !oracle('contains', value, given);
    case 'not_exists':
      return !oracle('exists', value, given);
    case 'exists':
      return value !== undefined && value !== null;
    case 'eq':
      return canonical(value ?? null, true) === canonical(given, true);
    case 'in':
      return (given as JsonValue[]).some((one) => oracle('eq', value, one));
    case 'contains':
      if (Array.isArray(value)) return value.some((item) => oracle('eq', item, given));
      if (!isText(value) || !isText(given)) return false;
      return given === '' || value.split(given).length > 1;
    case 'starts_with':
      return isText(value) && isText(given) && value.slice(0, given.length) === given;
    case 'ends_with':
      return isText(value) && isText(given) && value.slice(value.length - given.length) === given;
    case 'gt':
      return order(value, given) === 1;
    case 'gte':
      return [0, 1].includes(order(value, given) ?? -1);
    case 'lt':
      return order(value, given) === -1;
    case 'lte':
      return [-1, 0].includes(order(value, given) ?? 1);
  }
}

/** The same of a trait of groups; `undefined` is a group that does not have it. */
export function groupOracle(
  operator: Operator,
  values: readonly (JsonValue | undefined)[],
  given: JsonValue,
): boolean {
  switch (operator) {
    case 'neq':
      return !groupOracle('eq', values, given);
    case 'not_in':
      return !groupOracle('in', values, given);
    case 'not_contains':
      return !groupOracle('contains', values, given);
    case 'not_exists':
      return !groupOracle('exists', values, given);
  }
  const there = values.filter((value) => oracle('exists', value, null));
  if (there.length === 0) return oracle(operator, undefined, given);
  return there.some((value) => oracle(operator, value, given));
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** -1, 0, 1, or undefined for two values that have no order. */
function order(value: JsonValue | undefined, given: JsonValue): number | undefined {
  if (typeof value === 'number' && typeof given === 'number') return Math.sign(value - given);
  if (typeof value !== 'string' || typeof given !== 'string') return undefined;
  const bound = millisecondsOf(given);
  if (bound === undefined) return Math.sign(Buffer.compare(Buffer.from(value), Buffer.from(given)));
  const instant = millisecondsOf(value);
  return instant === undefined ? undefined : Math.sign(instant - bound);
}

/** One text for everything that is equal. A date counts as an instant where it stands by itself. */
function canonical(value: JsonValue, alone: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, false)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}:${canonical(member, false)}`,
    );
    return `{${members.sort().join(',')}}`;
  }
  const instant = alone && typeof value === 'string' ? millisecondsOf(value) : undefined;
  return instant === undefined ? JSON.stringify(value) : `instant ${instant}`;
}

/** ISO 8601: checked by writing it again. */
function millisecondsOf(text: string): number | undefined {
  const [, date, time = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      text,
    ) ?? [];
  if (date === undefined || date < '0001') return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.replace(',', '.').split(':').map(Number);
  const local = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return undefined;
  if (hours > 23 || minutes > 59 || seconds >= 60) return undefined;
  const [, sign, zoneHours, zoneMinutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  if (Math.abs(offset) >= 24 * 60 || Number(zoneMinutes ?? 0) > 59) return undefined;
  // Digit by digit: 59.999 * 1000 is not a whole number.
  const milliseconds = Number((time.split(/[.,]/)[1] ?? '').slice(0, 3).padEnd(3, '0'));
  return local + ((hours * 60 + minutes - offset) * 60 + Math.floor(seconds)) * 1000 + milliseconds;
}

/** Values of traits and of rules that are worth meeting each other, every one with every one. */
export const VALUES: readonly JsonValue[] = [
  '',
  ' ',
  'pro',
  'Pro',
  ' pro',
  'professional',
  'pro,free',
  'o',
  '5',
  '5.0',
  '05',
  '10',
  '-0',
  'true',
  'null',
  '[]',
  '%',
  '_',
  '\\',
  '"',
  'é',
  'e\u0301',
  'É',
  'ß',
  '\u{1f600}',
  '\uffee',
  '日本',
  '2026-01-02',
  '2026-01-02T00:00:00Z',
  '2026-01-02T01:00:00+01:00',
  '2026-01-02T00:00:00.0009',
  '2026-01-02 00:00',
  '2026-01-02 00:00:00.000999+00:00',
  '2026-01-02t02:00:00,000+02',
  '2026-01-02T23:00:00+23:00',
  '2026-01-01T23:59:59.999Z',
  '2026-02-29',
  '2026-1-2',
  '2026',
  '20260102',
  '30d',
  0,
  -0,
  1,
  -1,
  5,
  5.5,
  10,
  0.1 + 0.2,
  0.3,
  1e21,
  1e-7,
  9007199254740991,
  9007199254740992,
  1767312000000,
  true,
  false,
  null,
  [],
  [5],
  ['5'],
  ['pro'],
  ['Pro', 5, null, true],
  ['pro', 'free'],
  [['pro']],
  ['2026-01-02'],
  [{ a: 1, b: 2 }],
  {},
  { pro: 1 },
  { a: 1, b: 2 },
  { b: 2, a: 1 },
  { a: [1, { b: null }] },
];
