import * as fc from 'fast-check';
import { randomRuleNode } from '../../../../test/support/random-segments';
import { MAX_DEPTH, MAX_RULES, MAX_WITHIN_DAYS } from './limits';
import { MAX_LIST_LENGTH, MAX_STRING_LENGTH } from '../../../language/limits';
import { parseRules } from './parse-rules';
import { conditionsOf, type Predicate } from '../predicate';

const PRO = { field: 'plan', operator: 'eq', value: 'pro' };
const COUNT = { field: 'event_count', operator: 'gt', value: 3 };
const SUM = { event: 'A', aggregate: 'sum', of: 'properties.total', within: '5d', value: 1 };
const NOVEMBER = Date.UTC(2026, 10, 1);

describe('parseRules', () => {
  it.each<[string, unknown, string[]]>([
    ['no array', 'plan = pro', ['rules invalid_rules']],
    ['what is no rule', ['plan = pro', null, []], at(3, (path) => `${path} invalid_rule`)],
    [
      'everything at once',
      [
        { field: '', operator: 'like' },
        { ...PRO, vlaue: 1 },
      ],
      ['rules[0].field invalid_field', 'rules[0].operator unknown_operator', 'rules[1].vlaue unknown_member'],
    ],
    [
      'fields that are none',
      fields('', '.a', 'a..b', 'x'.repeat(201), 'a\0', 7),
      at(6, (path) => `${path}.field invalid_field`),
    ],
    [
      'paths into events that cannot be stored',
      [
        { ...SUM, operator: 'gt', of: 'properties.a\0' },
        { ...SUM, operator: 'gt', of: 'properties.\ud800' },
        { ...SUM, operator: 'gt', where: [{ field: 'properties.\udc00', operator: 'exists' }] },
      ],
      ['rules[0].of invalid_of', 'rules[1].of invalid_of', 'rules[2].where[0].field invalid_field'],
    ],
    [
      'what is missing, or null',
      [
        { field: 'plan', value: 'pro' },
        { ...SUM, operator: 'gt', aggregate: null },
      ],
      ['rules[0].operator required', 'rules[1].aggregate invalid_aggregate'],
    ],
    [
      'an operator that says nothing about a field',
      [
        { field: 'groups', operator: 'gt', value: 1 },
        { field: 'segments', operator: 'exists' },
        { field: 'event_count', operator: 'contains', value: 1 },
        { field: 'first_seen', operator: 'exists' },
      ],
      at(4, (path) => `${path}.operator operator_not_applicable`),
    ],
    [
      'values that cannot be compared with',
      [
        { ...PRO, value: undefined },
        { ...PRO, operator: 'exists', value: 'x' },
        { ...PRO, operator: 'in', value: [] },
        { ...PRO, operator: 'in', value: Array(MAX_LIST_LENGTH + 1).fill(1) },
        { ...PRO, operator: 'gt', value: true },
        { ...PRO, operator: 'starts_with', value: 1 },
        { ...PRO, operator: 'contains', value: null },
        { ...PRO, value: 'x'.repeat(MAX_STRING_LENGTH + 1) },
        { ...PRO, value: '\ud800' },
        { ...PRO, value: { a: '\0' } },
        { ...PRO, value: Infinity },
        { ...PRO, value: [NaN] },
        { ...PRO, operator: 'in', value: ['a', { b: [-Infinity] }] },
        { ...COUNT, value: '3' },
        { ...COUNT, operator: 'in', value: [1, '2'] },
        { field: 'groups', operator: 'contains', value: 1 },
        { field: 'segments', operator: 'contains', value: 'vip' },
        { field: 'last_seen', operator: 'gt', value: 'yesterday' },
        { field: 'last_seen', operator: 'eq', value: '30d' },
      ],
      at(19, (path) => `${path}.value invalid_value`),
    ],
    [
      'restrictions that do not restrict a count',
      [
        { ...PRO, event: 'Bought' },
        { ...COUNT, event: '' },
        { ...COUNT, type: 'click' },
        { ...COUNT, type: '' },
        { ...COUNT, within: '30' },
        { ...COUNT, within: '3651d' },
        { ...COUNT, within: '721h' },
        { ...COUNT, within: '36h' },
      ],
      [
        'rules[0].event not_applicable',
        'rules[1].event invalid_event',
        'rules[2].type invalid_type',
        'rules[3].type invalid_type',
        'rules[4].within invalid_within',
        'rules[5].within invalid_within',
        'rules[6].within invalid_within',
        'rules[7].event missing_event',
      ],
    ],
    [
      'ranges of time that are none',
      [
        { ...COUNT, event: 'A', from: '2026-1-1' },
        { ...COUNT, event: 'A', from: '30d', to: 7 },
        { ...COUNT, event: 'A', from: '2026-11-02', to: '2026-11-01' },
        { ...COUNT, event: 'A', from: '2026-11-01', to: '2026-11-01T01:00+01:00' },
        { ...COUNT, event: 'A', within: '30d', to: '2026-11-01' },
        { ...COUNT, from: '2026-11-01' },
        { ...PRO, from: '2026-11-01' },
        { sequence: [{ event: 'A' }, { event: 'B', from: '2026-11-01' }], from: 'x' },
        { sequence: [{ event: 'A' }, { event: 'B' }], from: '2026-11-01', within: '30d' },
      ],
      [
        'rules[0].from invalid_time',
        'rules[1].from invalid_time',
        'rules[1].to invalid_time',
        'rules[2].to empty_range',
        'rules[3].to empty_range',
        'rules[4].within not_applicable',
        'rules[5].event missing_event',
        'rules[6].from not_applicable',
        'rules[7].sequence[1].from unknown_member',
        'rules[7].from invalid_time',
        'rules[8].within not_applicable',
      ],
    ],
    [
      'groups',
      [
        { rules: [] },
        { rules: 7 },
        { match: 'most', not: 'no', rules: [{ ...PRO, value: undefined }], mtach: 1 },
      ],
      [
        'rules[0].rules empty_group',
        'rules[1].rules invalid_rules',
        'rules[2].mtach unknown_member',
        'rules[2].match invalid_match',
        'rules[2].not invalid_not',
        'rules[2].rules[0].value invalid_value',
      ],
    ],
    ['too many rules in a list', rulesLike(PRO, MAX_RULES + 1), ['rules too_many_rules']],
    ['too many rules in groups', rulesLike({ rules: rulesLike(PRO, 51) }, 2), ['rules too_many_rules']],
    [
      'groups that go too deep',
      [nested(MAX_DEPTH + 1)],
      [`rules[0]${'.rules[0]'.repeat(MAX_DEPTH)} too_deep`],
    ],
  ])('names each place of %s', (_, rules, problems) => {
    expect(problemsOf(rules)).toEqual(problems);
  });

  it.each<[string, object, string]>([
    [
      'the event, of what is asked of one',
      { aggregate: 'sum', of: 'properties.total', within: '5d', operator: 'gte', value: 1 },
      'rules[0].event missing_event: where, aggregate, of, from, to and hours need the name of an event.',
    ],
    [
      'the event, of a range',
      { from: '2026-11-01', operator: 'gte', value: 1 },
      'rules[0].event missing_event: where, aggregate, of, from, to and hours need the name of an event.',
    ],
    [
      'the aggregate, of a path',
      { event: 'A', of: 'properties.total', within: '5d', operator: 'gte', value: 1 },
      'rules[0].aggregate missing_aggregate: Say what is made of the values at of: one of unique, sum, min, max, avg, first, last, most_frequent.',
    ],
    [
      'the operators that go with a number',
      { ...SUM, operator: 'contains' },
      'rules[0].operator operator_not_applicable: contains says nothing about the sum of events. Must be one of eq, neq, gt, gte, lt, lte, in, not_in.',
    ],
    [
      'the same, of an operator that there is not',
      { ...SUM, operator: 'between' },
      'rules[0].operator unknown_operator: Must be one of eq, neq, gt, gte, lt, lte, in, not_in.',
    ],
    [
      'the operators of groups',
      { field: 'groups', operator: 'eq', value: 'g' },
      'rules[0].operator operator_not_applicable: eq says nothing about groups. Must be one of contains, not_contains, exists, not_exists.',
    ],
  ])('asks for %s', (_, rule, problem) => {
    const parsed = parseRules([rule]);
    const errors = parsed.ok ? [] : parsed.errors;
    expect(errors.map(({ path, code, message }) => `${path} ${code}: ${message}`)).toEqual([problem]);
  });

  it('counts the characters of a text as PostgreSQL does', () => {
    const saying = (length: number): boolean =>
      parseRules([{ ...PRO, value: '\u{1F600}'.repeat(length) }]).ok;
    expect(saying(MAX_STRING_LENGTH)).toBe(true);
    expect(saying(MAX_STRING_LENGTH + 1)).toBe(false);
  });

  it('takes as many rules, and groups as deep, as it says', () => {
    expect(problemsOf(rulesLike(PRO, MAX_RULES))).toEqual([]);
    expect(problemsOf([nested(MAX_DEPTH)])).toEqual([]);
  });

  it.each<[unknown[], Predicate]>([
    [[], { kind: 'all', of: [] }],
    [
      [{ ...COUNT, event: 'Bought', type: 'track', within: '30d' }],
      {
        kind: 'any',
        of: [
          {
            kind: 'condition',
            path: 'rules[0]',
            field: {
              kind: 'event_count',
              event: 'Bought',
              type: 'track',
              window: { unit: 'day', count: 30 },
            },
            operator: 'gt',
            comparand: { kind: 'value', value: 3 },
          },
        ],
      },
    ],
    [
      [{ not: true, rules: [{ field: 'last_seen', operator: 'lt', value: '2w' }] }],
      {
        kind: 'any',
        of: [
          {
            kind: 'not',
            of: {
              kind: 'all',
              of: [
                {
                  kind: 'condition',
                  path: 'rules[0].rules[0]',
                  field: { kind: 'last_seen' },
                  operator: 'lt',
                  comparand: { kind: 'ago', ms: 14 * 86_400_000 },
                },
              ],
            },
          },
        ],
      },
    ],
    [
      [{ event: 'Bought', from: '2026-11-01T01:00+01:00', operator: 'gt', value: 3 }],
      {
        kind: 'any',
        of: [
          {
            kind: 'condition',
            path: 'rules[0]',
            field: {
              kind: 'measure',
              measure: { event: 'Bought', where: [], range: { fromMs: NOVEMBER }, aggregate: 'count' },
              window: { unit: 'day', count: MAX_WITHIN_DAYS, range: { fromMs: NOVEMBER } },
            },
            operator: 'gt',
            comparand: { kind: 'value', value: 3 },
          },
        ],
      },
    ],
  ])('reads %j', (rules, predicate) => {
    expect(parseRules(rules, 'any')).toEqual({ ok: true, predicate });
  });

  it('finds a predicate or problems with their places, whatever it is given', () => {
    const anything = fc.oneof(
      fc.array(fc.oneof(randomRuleNode, fc.jsonValue({ maxDepth: 4 }))),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, (rules) => {
        const parsed = parseRules(rules);
        const found = parsed.ok ? conditionsOf(parsed.predicate) : parsed.errors;
        expect(parsed.ok || found.length > 0).toBe(true);
        expect(found.filter(({ path }) => !/^rules(?:\[\d+\]|$)/.test(path))).toEqual([]);
      }),
    );
  });
});

function problemsOf(rules: unknown): string[] {
  const parsed = parseRules(rules);
  return parsed.ok ? [] : parsed.errors.map(({ path, code }) => `${path} ${code}`);
}

function at(count: number, problem: (path: string) => string): string[] {
  return Array.from({ length: count }, (_, index) => problem(`rules[${index}]`));
}

function fields(...given: unknown[]): object[] {
  return given.map((field) => ({ ...PRO, field }));
}

function rulesLike(rule: object, count: number): object[] {
  return Array.from({ length: count }, () => rule);
}

/** A rule in so many groups. */
function nested(groups: number): object {
  return groups === 0 ? PRO : { rules: [nested(groups - 1)] };
}
