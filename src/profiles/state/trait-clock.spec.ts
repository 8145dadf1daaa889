import * as fc from 'fast-check';
import { isLater } from './trait-clock';

describe('isLater', () => {
  it('is the order of UTF-8 bytes, which is that of PostgreSQL', () => {
    const text = fc.string({ unit: 'grapheme-composite', maxLength: 4 });
    const close = fc.constantFrom(
      '',
      'a',
      '\uFFFD',
      '\u{1F600}',
      '\u{1F600}a',
      '\uD7FF',
      '\uE000',
      'a\u{10FFFF}',
    );
    fc.assert(
      fc.property(fc.oneof(text, close), fc.oneof(text, close), (a, b) => {
        expect(isLater(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0);
      }),
    );
    expect(isLater('', undefined)).toBe(true);
  });
});
