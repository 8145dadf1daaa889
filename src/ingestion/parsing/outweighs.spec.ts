import * as fc from 'fast-check';
import { parseExactly, stringifyExactly } from '../../events/exact-json';
import { outweighs } from './outweighs';

describe('outweighs', () => {
  it('never says it of what fits', () => {
    const values = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(values, (value) => {
        expect(outweighs(Buffer.byteLength(JSON.stringify(value)), value)).toBe(false);
      }),
    );
    expect(outweighs(5, parseExactly('[1.0]') as object)).toBe(false);
    expect(outweighs(2, { a: undefined })).toBe(false);
  });

  it.each([
    ['a text', ['x'.repeat(1_000)]],
    ['a name', { ['x'.repeat(1_000)]: 1 }],
    ['many values', Array.from({ length: 500 }, () => 1)],
    ['what is further down', { a: [{ b: ['x'.repeat(1_000)] }] }],
  ])('says it because of %s', (_, value) => {
    expect(outweighs(1_000, value)).toBe(true);
    expect(stringifyExactly(value).length).toBeGreaterThan(1_000);
  });
});
