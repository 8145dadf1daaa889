import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { compilePattern, faultOfPattern } from './pattern';

describe('compilePattern', () => {
  it('finds in plain expressions what the engine finds that is linear for all', () => {
    fc.assert(
      fc.property(plain, texts, (expression, text) => {
        fc.pre(faultOfPattern(expression) === undefined);
        const pattern = compilePattern(expression);
        expect(pattern).toBeInstanceOf(RegExp);
        expect(pattern.test(text)).toBe(RE2JS.compile(expression).test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['^(a+)+$', '^a+a+$', '^a*a{2}$', 'a+$', '^a|b$', '^.*$', '^a+?$'])(
    'leaves %s to it, where going back could take long or the two differ',
    (expression) => {
      expect(compilePattern(expression)).toBeInstanceOf(RE2JS);
    },
  );
});

const one = fc.constantFrom('a', '-', ' ', '/', '9', '\\d', '[a-c]', '[^a-c]', '[A-Z_.]', '[-a]', '[9-a]');
const fixed = fc.tuple(one, fc.constantFrom('', '', '{2}', '{0}')).map((parts) => parts.join(''));
const last = fc
  .tuple(one, fc.constantFrom('', '+', '*', '?', '{1,}', '{1,3}'))
  .map((parts) => parts.join(''));
const plain = fc
  .tuple(fc.array(fixed, { maxLength: 3 }), last, fc.constantFrom('', '$'))
  .map(([head, tail, end]) => `^${head.join('')}${tail}${end}`);
const texts = fc
  .array(fc.constantFrom('a', 'b', 'A', '_', '.', '-', ' ', '/', '9', '😀', '\n', '\ud83d'), { maxLength: 6 })
  .map((characters) => characters.join(''));
