import { findUnstorable } from './find-unstorable';

describe('findUnstorable', () => {
  it.each([
    ['a\0', 'value'],
    ['\ud800', 'value'],
    [Infinity, 'value'],
    [NaN, 'value'],
    [['a', [-Infinity]], 'value[1][0]'],
    [{ a: [{ b: '\udfff' }] }, 'value.a[0].b'],
    [{ a: { 'b\0': 1 } }, 'value.a'],
  ])('finds what cannot be kept in %j', (value, path) => {
    expect(findUnstorable(value, 'value')).toMatchObject({ path });
  });

  it('takes what can be kept, whatever looks like an escape', () => {
    const value = { '\u{1f600}': ['\\u0000', '\n', 1e308, -0, null, true, {}] };
    expect(findUnstorable(value, 'value')).toBeUndefined();
  });

  it('needs no path', () => {
    expect(findUnstorable({ a: { b: NaN } }, '')).toEqual({
      path: 'a.b',
      problem: 'must be a finite number',
    });
  });
});
