import * as fc from 'fast-check';
import { isKeptNumber, parseExactly, plainNumber, stringifyExactly } from './exact-json';

const NUMBERS = [
  '9007199254740993',
  '-123456789012345678901234567890',
  '1.0',
  '10.50',
  '-0',
  '-0.0',
  '1e5',
  '1E+5',
  '1.0e-7',
  '0.1000000000000000055511151231257827',
  '1e-400',
];

const exotic = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc
    .tuple(fc.bigInt(), fc.option(fc.nat().map(String), { nil: '' }), fc.constantFrom('', 'e3', 'E-7', 'e+0'))
    .map(([whole, fraction, exponent]) => `${whole}${fraction === '' ? '' : `.${fraction}0`}${exponent}`),
);
const space = fc.constantFrom('', ' ', '\n', '\t ');

/** JSON text without spaces, as `JSON.stringify` would write it were it to keep numbers. */
const compact = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    exotic,
    fc
      .oneof(
        fc.string({ unit: 'binary' }),
        exotic.map((n) => `"\\:${n},`),
      )
      .map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'null', '1', '19.99'),
    fc.array(tie('value')).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.string().map((name) => `x${name}`),
          tie('value'),
        ),
        { selector: ([name]) => name },
      )
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
})).value;

describe('exact JSON', () => {
  it.each(NUMBERS)('keeps %s as it was written', (number) => {
    const text = `{"a":[${number}],"b":${number}}`;
    expect(stringifyExactly(parseExactly(text) as object as Record<string, unknown>)).toBe(text);
  });

  it('writes again what it has read, digit by digit', () => {
    fc.assert(
      fc.property(compact, (value) => {
        const text = `{"a":${value}}`;
        expect(stringifyExactly(parseExactly(text) as Record<string, unknown>)).toBe(text);
      }),
    );
  });

  it('reads what JSON.parse reads, and refuses what it refuses', () => {
    const piece = fc.oneof(
      exotic,
      space,
      fc.constantFrom(...'{}[]:,"\\-.e0123'.split(''), '1.0.', '01.0', '"1.0"', '{"a":'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join('')),
          compact,
        ),
        (text) => {
          const whole = `[${text}]`;
          expect(outcome(() => plain(parseExactly(whole)))).toEqual(outcome(() => JSON.parse(whole)));
        },
      ),
    );
  });

  it.each(['{1.0:2}', '{"a":1.0 1}', '[01.0]', '[1.0.0]', '[--0]', '[1.]', '[1.0', '["1.0]', '[1.0e]'])(
    'refuses %s',
    (text) => {
      expect(() => parseExactly(text)).toThrow(SyntaxError);
    },
  );

  it('takes no string for a number', () => {
    const text = '["1.0","9007199254740993"]';
    expect(parseExactly(text)).toEqual(['1.0', '9007199254740993']);
    expect(stringifyExactly(parseExactly(text) as string[])).toBe(text);
    expect((parseExactly(text) as unknown[]).some(isKeptNumber)).toBe(false);
  });

  it('leaves what is no double to JSON.parse', () => {
    expect(parseExactly('[1e400]')).toEqual([Infinity]);
  });

  it('takes time in proportion to the text', () => {
    const hostile = [
      ' '.repeat(100_000),
      '1'.repeat(100_000),
      `1.${'0'.repeat(100_000)}1`,
      '-'.repeat(100_000),
    ];
    for (const text of hostile) {
      // Of the processor: others may have it meanwhile. In proportion to the square it would be many times that.
      const startedAt = process.cpuUsage();
      outcome(() => parseExactly(`[1.0,${text},${text}`));
      expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(1000);
    }
  });
});

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return plainNumber(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return (error as Error).name;
  }
}
