import * as fc from 'fast-check';
import {
  EVENT_TYPES,
  type EventType,
  type JsonObject,
  type JsonValue,
} from '../../src/events/customer-event';
import { type RuleNode } from '../../src/segments/rules/rule';
import { OPERATORS } from '../../src/language/operators';

/** What can be said about a profile in a test. Times are ISO 8601. */
export interface RandomProfile {
  readonly traits: JsonObject;
  readonly groups: readonly string[];
  /** Of each of the groups; the same group of several profiles has those of the last one. */
  readonly groupTraits?: readonly JsonObject[];
  readonly totals: Readonly<Record<string, number>>;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly days: readonly RandomDay[];
}

/** Events of one name so many days ago. */
export interface RandomDay {
  readonly name: string;
  readonly daysAgo: number;
  readonly count: number;
  /** Of which types they are; left out: of the one that the name says. */
  readonly types?: readonly EventType[];
}

/** Values that meet each other often, and that languages like to disagree about. */
const STRINGS = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'b a',
  'é',
  'e\u0301',
  '\u{1f600}',
  '\ue000',
  '\uffff',
  'ß',
  '5',
  '1e3',
  'true',
  'null',
  '30d',
  '%',
  '_',
  '\\',
  '"',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2024-01-01T01:00:00.000+01:00',
  '2024-01-01 00:00:00.123456789Z',
  '2024-01-01T00:00:00.1239Z',
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '2024-1-1',
  '0000-01-01',
  '0001-01-01T00:00+14:00',
  '9999-12-31T23:59:59.999-14:00',
  '2024-01-01T00:00:00Z\n',
  '2024-01-01t00:00:00,5z',
  '2024-01-01 00:00:00.123456+00:00',
  '2024-01-01T16:00+16',
  '٢٠٢٤-٠١-٠١',
];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  1.5,
  0.1,
  0.1 + 0.2,
  0.3,
  1e21,
  1e308,
  5e-324,
  2 ** 53,
  2 ** 53 + 2,
  12345678901234567000,
];
const KEYS = [
  'a',
  'b',
  'a.b',
  'b.a',
  '0',
  '1',
  '-1',
  '007',
  'é',
  'a b',
  '__proto__',
  'constructor',
  'toString',
  'a\\b',
  '$',
];
const FIELDS = [
  ...KEYS,
  'a.b',
  'a.0',
  'a.1',
  'a.b.a',
  'a.-1',
  'a.007',
  'traits.a',
  'traits.event_count',
  'a\\.b',
  'a.a\\.b',
  'a\\\\b',
];
export const EVENT_NAMES = ['Order', 'page', 'é', '__proto__', 'constructor'];

/** Text that PostgreSQL can store. */
const anyText = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0'));
const string = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 1, arbitrary: anyText },
);
const number = fc.oneof(
  fc.constantFrom(0, 1, 1.5),
  fc.constantFrom(...NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: string },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
);
/** Mostly two keys, so that rules find something. */
const key = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
);

function object(values: fc.Arbitrary<JsonValue>, minLength = 0): fc.Arbitrary<JsonObject> {
  // fromEntries makes an own property of `__proto__`, as JSON.parse does.
  return fc
    .array(fc.tuple(key, values), { minLength, maxLength: 5 })
    .map((entries) => Object.fromEntries(entries));
}

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), object(scalar)), {
      maxLength: 4,
    }),
  },
  { weight: 2, arbitrary: object(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), object(scalar))) },
);

/** Around `now`, and around the borders of the windows that the rules use. */
function instantAround(now: number): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.integer({ min: -40 * 24, max: 24 }).map((hours) => now + hours * 3_600_000),
      fc.constantFrom(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 1, 0, 0, 0, 123), now - 30 * 86_400_000),
    )
    .map((ms) => new Date(ms).toISOString());
}

export function randomProfile(now: number): fc.Arbitrary<RandomProfile> {
  return anyProfile(now).map((profile) => firstSeenByDays(profile, now));
}

/** No day of a profile is before the one on which it was first seen. */
function firstSeenByDays({ firstSeenAt, ...profile }: RandomProfile, now: number): RandomProfile {
  const times = profile.days.map(({ daysAgo }) => now - daysAgo * 86_400_000);
  const firstSeenMs = Math.min(Date.parse(firstSeenAt), ...times);
  return { ...profile, firstSeenAt: new Date(firstSeenMs).toISOString() };
}

function anyProfile(now: number): fc.Arbitrary<RandomProfile> {
  return fc.record({
    traits: object(value, 3),
    groups: fc.uniqueArray(string, { maxLength: 3 }),
    groupTraits: fc.array(object(value, 2), { minLength: 3, maxLength: 3 }),
    totals: fc
      .array(fc.tuple(fc.constantFrom(...EVENT_NAMES), fc.integer({ min: 1, max: 4 })), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
    firstSeenAt: instantAround(now),
    lastSeenAt: instantAround(now),
    days: fc.uniqueArray(
      fc
        .record(
          {
            name: fc.constantFrom(...EVENT_NAMES),
            daysAgo: fc.integer({ min: -1, max: 32 }),
            count: fc.integer({ min: 1, max: 3 }),
            types: fc.array(fc.constantFrom(...EVENT_TYPES), { minLength: 1, maxLength: 4 }),
          },
          { requiredKeys: ['name', 'daysAgo', 'count'] },
        )
        .map((day): RandomDay => (day.types === undefined ? day : { ...day, count: day.types.length })),
      { maxLength: 5, selector: ({ name, daysAgo }) => `${daysAgo} ${name}` },
    ),
  });
}

/** Text that is a date in one of its spellings, or nearly. */
export const nearlyDate: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      '2026-11-22',
      '2024-02-29',
      '2023-02-29',
      '0001-01-01',
      '9999-12-31',
      '0000-01-01',
      '2026-11-31',
    ),
    fc.constantFrom('', 'T', 't', ' ', '  ', '_'),
    fc.constantFrom('', '00:00', '23:59:59', '24:00', '10:11:12', '10:60', '10:11:60', '1:11'),
    fc.constantFrom('', '.', '.5', ',5', '.123456', '.999999999', ',1234567890'),
    fc.constantFrom(
      '',
      'Z',
      'z',
      '+00:00',
      '-00',
      '+0530',
      '-14:00',
      '+23:59',
      '+24',
      '+1',
      ' +00:00',
      '+01:',
      'UTC',
    ),
  )
  .map((parts) => parts.join(''));

const operator = fc.constantFrom(...OPERATORS);
const count = fc.oneof(fc.integer({ min: -1, max: 6 }), number);
const seenValue = fc.oneof(fc.constantFrom('30d', '12h', '1w', '2024-01-01', '2024-01-01T00:00:00.123Z'));

/** Rules as a client may write them; many do not go with their operator and are refused. */
export const randomRule: fc.Arbitrary<RuleNode> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        field: fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom('a', 'b') },
          { weight: 1, arbitrary: fc.constantFrom(...FIELDS) },
        ),
        operator,
        value: fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })),
      })
      // With a value they are no rules.
      .map(({ value: given, ...rule }) =>
        rule.operator === 'exists' || rule.operator === 'not_exists' ? rule : { ...rule, value: given },
      ),
  },
  { weight: 1, arbitrary: fc.record({ field: fc.constant('groups'), operator, value: string }) },
  {
    weight: 3,
    arbitrary: fc.record({
      field: fc
        .constantFrom('a', 'b', ...FIELDS.filter((field) => !field.startsWith('traits.')))
        .map((field) => `groups.${field}`),
      operator,
      value: fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ field: fc.constantFrom('first_seen', 'last_seen'), operator, value: seenValue }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        field: fc.constant('event_count'),
        operator,
        value: fc.oneof(count, fc.array(count, { minLength: 1, maxLength: 3 })),
        event: fc.constantFrom(...EVENT_NAMES, 'Never'),
        type: fc.constantFrom('page' as const, 'track' as const, 'identify' as const),
        within: fc.constantFrom('1d', '7d', '30d'),
      },
      { requiredKeys: ['field', 'operator', 'value'] },
    ),
  },
);

/** A rule, or groups of rules two levels deep. */
export const randomRuleNode: fc.Arbitrary<RuleNode> = fc.oneof(
  { weight: 3, arbitrary: randomRule },
  {
    weight: 1,
    arbitrary: group(
      fc.oneof({ weight: 3, arbitrary: randomRule }, { weight: 1, arbitrary: group(randomRule) }),
    ),
  },
);

function group(rules: fc.Arbitrary<RuleNode>): fc.Arbitrary<RuleNode> {
  return fc.record(
    {
      match: fc.constantFrom('all' as const, 'any' as const),
      not: fc.boolean(),
      rules: fc.array(rules, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['rules'] },
  );
}
