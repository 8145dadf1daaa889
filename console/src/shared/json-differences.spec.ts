import { jsonDifferences } from './json-differences';

describe('in what two JSON values differ', () => {
  it.each([
    ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, [['b', 2, 3]]],
    ['a member of a member', { a: { b: { c: 'x' } } }, { a: { b: { c: 'y' } } }, [['a.b.c', 'x', 'y']]],
    ['a member that is new', {}, { a: null }, [['a', undefined, null]]],
    ['a member that is gone', { a: { b: 1 } }, {}, [['a', { b: 1 }, undefined]]],
    ['a value of another type', { a: [] }, { a: {} }, [['a', [], {}]]],
    ['an item', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, [['a[1].b', 2, 3]]],
    ['an item that is new', { a: [1, 3] }, { a: [1, 2, 3] }, [['a[1]', undefined, 2]]],
    ['an item that is gone', { a: [1, 1, 2] }, { a: [1, 2] }, [['a[1]', 1, undefined]]],
    [
      'items that are replaced by more',
      [1, 2],
      [3, 4, 5],
      [
        ['[0]', 1, 3],
        ['[1]', 2, 4],
        ['[2]', undefined, 5],
      ],
    ],
    [
      'names that are no words',
      { 'a.b': 1, c: { '': 1 } },
      { 'a.b': 2, c: { '': 2 } },
      [
        ['["a.b"]', 1, 2],
        ['c[""]', 1, 2],
      ],
    ],
    ['names that every object has', {}, JSON.parse('{"constructor": 1}'), [['constructor', undefined, 1]]],
    ['the whole', 1, 2, [['', 1, 2]]],
  ])('is %s', (_what, before, after, expected) => {
    expect(jsonDifferences(before, after)).toEqual(
      expected.map(([path, old, now]) => ({ path, before: old, after: now })),
    );
  });

  it('is told of the rules of tracking plans by their names, of their order by their places', () => {
    const rule = (event: string, schema = {}) => ({ type: 'track', event, schema });
    const identify = { type: 'identify', schema: {} };
    const [paid, gone] = [rule('Paid'), rule('Gone')];
    const after = { rules: [identify, rule('Paid', { required: ['userId'] })] };
    expect(jsonDifferences({ rules: [gone, paid] }, after)).toEqual([
      { path: 'rules[track Gone]', before: gone, after: undefined },
      { path: 'rules[track Paid].schema.required', before: undefined, after: ['userId'] },
      { path: 'rules[identify]', before: undefined, after: identify },
    ]);
    expect(jsonDifferences([gone, paid], [paid, gone])).toEqual([
      { path: '[0].event', before: 'Gone', after: 'Paid' },
      { path: '[1].event', before: 'Paid', after: 'Gone' },
    ]);
  });

  it('is nothing when they say the same, in whatever order', () => {
    expect(jsonDifferences({ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] })).toEqual([]);
  });
});
