import type { JsonValue } from '../../events/customer-event';
import { parseExactly } from '../../events/exact-json';
import { diffJson } from './diff-json';

const nested = (depth: number, leaf: JsonValue): JsonValue =>
  depth === 0 ? leaf : { level: nested(depth - 1, leaf) };

describe('what is different between two JSON values', () => {
  it.each<[string, JsonValue, JsonValue, object[]]>([
    ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['nothing but the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a member that is gone', { a: 1, b: 2 }, { a: 1 }, [{ kind: 'removed', path: '/b', before: 2 }]],
    ['a member that is new', {}, { a: null }, [{ kind: 'added', path: '/a', after: null }]],
    [
      'another value',
      { a: { b: 1 } },
      { a: { b: '1' } },
      [{ kind: 'changed', path: '/a/b', before: 1, after: '1' }],
    ],
    ['another kind of value', { a: [] }, { a: {} }, [{ kind: 'changed', path: '/a', before: [], after: {} }]],
    [
      'null in the place of an object',
      { a: {} },
      { a: null },
      [{ kind: 'changed', path: '/a', before: {}, after: null }],
    ],
    ['items at the end', [1, 2], [1], [{ kind: 'removed', path: '/1', before: 2 }]],
    [
      'names with the signs of pointers',
      { 'a/b~': 1 },
      {},
      [{ kind: 'removed', path: '/a~1b~0', before: 1 }],
    ],
  ])('finds %s', (_, before, after, changes) => {
    expect(diffJson(before, after)).toEqual(changes);
  });

  it('takes names of what objects inherit for names', () => {
    const before = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as JsonValue;
    expect(diffJson(before, { toString: 1 }).map(({ kind, path }) => [kind, path])).toEqual([
      ['removed', '/__proto__'],
      ['removed', '/constructor'],
      ['added', '/toString'],
    ]);
  });

  it('tells numbers apart that are the same for JavaScript', () => {
    const [before, after] = ['[9007199254740993, 1]', '[9007199254740992, 1]'].map(
      (text) => parseExactly(text) as JsonValue,
    ) as [JsonValue, JsonValue];
    expect(diffJson(before, after)).toMatchObject([{ kind: 'changed', path: '/0' }]);
  });

  it('is bounded, in number and in depth', () => {
    expect(diffJson(Array(1_000).fill(1), Array(1_000).fill(2))).toHaveLength(200);
    const [change] = diffJson(nested(1_000, 1), nested(1_000, 2));
    expect(change?.path).toHaveLength(504);
    expect(diffJson(nested(1_000, 1), nested(1_000, 1))).toEqual([]);
  });
});
