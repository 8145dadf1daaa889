import * as fc from 'fast-check';
import { plainText } from './plain-text';

describe('plainText', () => {
  it.each([
    ['Who bought what.', 'Who bought what.'],
    ['*/ x /*', '* / x / *'],
    ['**//**/', '** // ** /'],
    ['*\\u002a/', '* /u002a/'],
    [' a\n\tb\u2028c\u2029d\u0000 ', 'a b c d'],
  ])('writes %j on one line that ends no comment', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('leaves nothing that ends a comment, begins one, or is an escape', () => {
    const hostile = fc.string({ unit: fc.constantFrom('*', '/', '\\', '\n', '\u2028', 'u002a', 'a') });
    fc.assert(
      fc.property(hostile, (text) => {
        expect(plainText(text)).not.toMatch(/\*\/|\/\*|\\|[\n\u2028]/);
      }),
    );
  });
});
