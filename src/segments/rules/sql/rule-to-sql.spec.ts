import * as fc from 'fast-check';
import { randomRuleNode } from '../../../../test/support/random-segments';
import { EVENT_TYPES } from '../../../events/customer-event';
import { parseRules } from '../parsing/parse-rules';
import { conditionsOf } from '../predicate';
import { OPERATORS } from '../../../language/operators';
import { predicateToSql } from './rule-to-sql';
import { SqlValues } from '../../../language/sql-values';

const TRAIT = '(p.traits -> $1::text)';
const TEXT = `(${TRAIT} #>> '{}')`;
const MISSING = `(coalesce(jsonb_typeof(${TRAIT}), 'null') = 'null')`;

/** What the statements answer: test/integration/segment-rules.spec.ts. */
describe('predicateToSql', () => {
  it.each<[string, unknown, string, unknown[]]>([
    ['eq', 'pro', `coalesce(${TRAIT} = $2::jsonb, false)`, ['"pro"']],
    ['eq', null, MISSING, []],
    [
      'eq',
      '2026-01-31',
      `coalesce(segment_instant(${TEXT}) = $2::timestamptz, false)`,
      ['2026-01-31T00:00:00.000Z'],
    ],
    ['neq', 'pro', `not coalesce(${TRAIT} = $2::jsonb, false)`, ['"pro"']],
    [
      'gt',
      5,
      `(case when jsonb_typeof(${TRAIT}) = 'number' then (${TRAIT})::numeric > $2::numeric else false end)`,
      ['5'],
    ],
    [
      'lte',
      'm',
      `(case when jsonb_typeof(${TRAIT}) = 'string' then ${TEXT} collate "C" <= $2::text else false end)`,
      ['m'],
    ],
    [
      'contains',
      5,
      `(case when jsonb_typeof(${TRAIT}) = 'array' then ${TRAIT} @> $2::jsonb else false end)`,
      ['[5]'],
    ],
    [
      'starts_with',
      'p',
      `(case when jsonb_typeof(${TRAIT}) = 'string' then starts_with(${TEXT}, $2::text) else false end)`,
      ['p'],
    ],
    [
      'ends_with',
      'o',
      `(case when jsonb_typeof(${TRAIT}) = 'string' then right(${TEXT}, char_length($2::text)) = $2::text else false end)`,
      ['o'],
    ],
    ['exists', undefined, `not ${MISSING}`, []],
    ['not_exists', undefined, MISSING, []],
    ['in', ['a', null], `(${MISSING} or coalesce(${TRAIT} = any($2::jsonb[]), false))`, [['"a"']]],
    ['not_in', ['a'], `not (coalesce(${TRAIT} = any($2::jsonb[]), false))`, [['"a"']]],
  ])('asks whether a trait is %s %j', (operator, value, sql, params) => {
    expect(sqlOf([{ field: 'plan', operator, value }])).toEqual({
      sql: `(${sql})`,
      params: ['plan', ...params],
    });
  });

  it.each([
    [{ field: 'event_count', operator: 'gt', value: 3 }, '(p.event_count::numeric > $1::numeric)', ['3']],
    [
      { field: 'event_count', operator: 'in', value: [1, 2], event: 'Bought' },
      `(coalesce((p.event_totals -> $1::text ->> 'count')::numeric, 0) = any($2::numeric[]))`,
      ['Bought', ['1', '2']],
    ],
    [
      { field: 'last_seen', operator: 'gte', value: '30d' },
      'coalesce(p.last_seen_at >= (now() - make_interval(secs => $1::float8)), false)',
      [2_592_000],
    ],
  ])('asks %j', (rule, sql, params) => {
    expect(sqlOf([rule])).toEqual({ sql: `(${sql})`, params });
  });

  it('joins rules as their groups say', () => {
    const rule = (value: number): object => ({ field: 'event_count', operator: 'eq', value });
    const test = (place: number): string => `(p.event_count::numeric = $${place}::numeric)`;
    // A value that is there twice is sent once.
    const { sql, params } = sqlOf([rule(5), { not: true, match: 'any', rules: [rule(6), rule(5), rule(7)] }]);
    expect(sql).toBe(`(${test(1)} and not (${test(2)} or ${test(1)} or ${test(3)}))`);
    expect(params).toEqual(['5', '6', '7']);
    expect(sqlOf([]).sql).toBe('true');
  });

  it('has no value in its text, and each of its parameters', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(randomRuleNode, (rule) => {
        const parsed = parseRules([rule]);
        fc.pre(parsed.ok);
        const { sql, params } = sqlOf([rule]);
        const places = new Set([...sql.matchAll(/\$(\d+)::/g)].map(([, place]) => Number(place)));
        expect([...places].sort((a, b) => a - b)).toEqual(params.map((_, index) => index + 1));
        const constants = [...sql.matchAll(/'([^']*)'/g)].map(([, constant]) => constant);
        expect(constants.filter((constant) => !CONSTANTS.has(constant))).toEqual([]);
        expect(sql.replaceAll(/'[^']*'/g, '')).toMatch(/^[\w\s."$:()[\],=<>@#+-]*$/);
        for (const { operator } of conditionsOf(parsed.predicate)) seen.add(operator);
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].sort()).toEqual([...OPERATORS].sort());
  });
});

/** What stands in quotes in statements; nothing that a client wrote. */
const CONSTANTS = new Set<unknown>([
  '{}',
  '[]',
  'null',
  'array',
  'string',
  'number',
  'count',
  'UTC',
  ...EVENT_TYPES,
]);

function sqlOf(rules: unknown): { sql: string; params: unknown[] } {
  const parsed = parseRules(rules);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const values = new SqlValues();
  return {
    sql: predicateToSql(parsed.predicate, { profile: 'p', now: 'now()', values }),
    params: values.params,
  };
}
