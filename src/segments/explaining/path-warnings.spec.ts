import type { JsonValue } from '../../events/customer-event';
import { conditionsOf } from '../rules/predicate';
import { parseRules } from '../rules/parsing/parse-rules';
import { askedPaths } from './asked-paths';
import { pathWarnings } from './path-warnings';

const STORED: readonly JsonValue[] = ['7', 7, true, [7], { a: 7 }, '2026-01-31', null];

/** Of a rule about `properties.x` of stored events with these values: `undefined` is none. */
function warningsOf(members: object, values: readonly (JsonValue | undefined)[]): [string, string][] {
  const rule = { event: 'A', within: '30d', operator: 'gte', value: 1, ...members };
  const parsed = parseRules([rule]);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const events = values.map((x) => ({
    type: 'track',
    content: { properties: { other: 1, ...(x === undefined ? {} : { x }) } },
  }));
  const looked = conditionsOf(parsed.predicate).map((one) => ({ ...one, compared: one }));
  const warnings = pathWarnings(askedPaths(looked), new Map([['A', events]]));
  return warnings.map(({ path, code }) => [path, code]);
}

const where = (operator: string, value?: JsonValue): object => ({
  where: [{ field: 'properties.x', operator, value }],
});

describe('a warning of a path', () => {
  it.each<[object, readonly JsonValue[]]>([
    [{ aggregate: 'sum', of: 'properties.x' }, [7]],
    [{ aggregate: 'avg', of: 'properties.x' }, [7]],
    [{ aggregate: 'unique', of: 'properties.x' }, ['7', 7, true, [7], { a: 7 }, '2026-01-31']],
    [{ aggregate: 'last', of: 'properties.x', value: 'a' }, ['7', '2026-01-31']],
    [{ aggregate: 'last', of: 'properties.x', value: '2026-11-01' }, ['2026-01-31']],
    [{ aggregate: 'first', of: 'properties.x', value: 7 }, [7]],
    [{ aggregate: 'most_frequent', of: 'properties.x', operator: 'not_in', value: [true, 7] }, [7, true]],
    [
      { aggregate: 'first', of: 'properties.x', operator: 'exists', value: undefined },
      ['7', 7, true, '2026-01-31'],
    ],
    [where('gte', 5), [7]],
    [where('gte', 'pro'), ['7', '2026-01-31']],
    [where('lt', '2026-11-01'), ['2026-01-31']],
    [where('eq', '7'), ['7', '2026-01-31']],
    [where('neq', 7), [7]],
    [where('eq', true), [true]],
    [where('in', ['a', 7]), ['7', 7, '2026-01-31']],
    [where('not_in', [null, 7]), STORED],
    [where('eq', null), STORED],
    [where('eq', { a: 7 }), [{ a: 7 }]],
    [where('contains', 'a'), ['7', [7], '2026-01-31']],
    [where('not_contains', 7), [[7]]],
    [where('starts_with', 'a'), ['7', '2026-01-31']],
    [where('exists'), STORED],
    [where('not_exists'), STORED],
  ])('of %j is not given of values that it can use: %j', (members, usable) => {
    const place = 'of' in members ? 'rules[0].of' : 'rules[0].where[0].field';
    for (const value of STORED) {
      const isUsable = value === null || usable.some((one) => JSON.stringify(one) === JSON.stringify(value));
      expect({ value, warnings: warningsOf(members, [value, null, undefined]) }).toEqual({
        value,
        warnings: isUsable ? [] : [[place, 'unusable_values']],
      });
    }
    expect(warningsOf(members, STORED)).toEqual([]);
    expect(warningsOf(members, [undefined])).toEqual([[place, 'unknown_path']]);
    expect(warningsOf(members, [])).toEqual([]);
  });
});
