import { Ajv2020 } from 'ajv/dist/2020';
import { fullFormats } from 'ajv-formats/dist/formats';
import * as fc from 'fast-check';
import type { JsonObject } from '../../events/customer-event';
import { InputProblems } from '../../platform/http/input/input-problems';
import { compileSchema } from './compile-schema';
import { FORMATS } from './formats';
import { inspectSchema } from './inspect-schema';
import { areUnique } from './same-json-keywords';

describe('compileSchema', () => {
  it('says what ajv says without our limits, of any value', () => {
    fc.assert(
      fc.property(schemaOf(2), values, (schema, value) => {
        expect(inspectSchema(schema, '', new InputProblems())).toBeDefined();
        const first = compileSchema(schema, false)(value).length === 0;
        expect(compileSchema(schema, true)(value).length === 0).toBe(first);
        expect(first).toBe(ajvSays(schema, value) ?? first);
      }),
      { numRuns: 300, interruptAfterTimeLimit: 30_000 },
    );
  });

  it('finds all errors where ajv fails when it follows what was evaluated', () => {
    const schema = { anyOf: [{ additionalProperties: false }], patternProperties: { '^a': {} } };
    expect(compileSchema(schema, true)({ a: '' })).not.toHaveLength(0);
  });

  it.each([
    [{ const: {} }, { toString: 1 }, false],
    [{ const: { toString: 1, a: 0 } }, { a: -0, toString: 1 }, true],
    [{ enum: ['a', [{}]] }, [{ valueOf: 1 }], false],
    [{ enum: [{ constructor: { a: 1 } }] }, { constructor: { a: 1 } }, true],
    [{ uniqueItems: true }, [{}, { toString: '' }], true],
  ])('compares what has names that all objects inherit: %j, %j', (schema, value, expected) => {
    expect(compileSchema(schema, false)(value).length === 0).toBe(expected);
  });

  it('takes decimal fractions for what they are', () => {
    const check = compileSchema({ multipleOf: 0.01 }, false);
    expect([19.99, 1.1, 0.07, 1.005].map((number) => check(number).length === 0)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('finds no member that an object only inherits', () => {
    expect(compileSchema({ required: ['constructor'] }, false)({})).toHaveLength(1);
  });

  it.each(Object.keys(FORMATS))('lets no text of more than 2,048 characters be a %s', (format) => {
    const check = compileSchema({ format }, false);
    expect(check('/'.repeat(32_768))).toHaveLength(1);
    expect(check(1)).toHaveLength(0);
  });

  it('keeps a pattern from taking long', () => {
    const check = compileSchema({ pattern: '^(a+)+$' }, false);
    expect(check(`${'a'.repeat(32_768)}b`)).toHaveLength(1);
  });
});

describe('the length of a text', () => {
  it.each([
    ['', 0, true],
    ['ab', 2, true],
    ['ab', 1, false],
    ['😀😀', 2, true],
    ['😀😀', 1, false],
    ['😀a', 2, true],
    ['é', 1, true],
  ])('of %j is at most %s: %s', (text, limit, expected) => {
    expect(compileSchema({ maxLength: limit }, false)(text).length === 0).toBe(expected);
    // Not at most n is at least n + 1.
    expect(compileSchema({ minLength: limit + 1 }, false)(text).length === 0).toBe(!expected);
  });
});

describe('areUnique', () => {
  it.each([
    [[1, 2, '1'], true],
    [[0, -0], false],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [[{ a: 1 }, { a: 2 }], true],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [[null, false, 0, ''], true],
  ])('of %j is %s', (elements, expected) => {
    expect(areUnique(elements)).toBe(expected);
  });
});

/** Nothing where ajv fails, which it does when it compares objects with a member called `toString`. */
function ajvSays(schema: JsonObject, value: unknown): boolean | undefined {
  const reference = new Ajv2020({ strict: false, ownProperties: true, formats: fullFormats });
  // A copy; that of `structuredClone` has arrays of another realm, which ajv finds equal to none.
  const validate = reference.compile(JSON.parse(JSON.stringify(schema)) as JsonObject);
  try {
    return validate(value);
  } catch {
    return undefined;
  }
}

const names = fc.constantFrom('a', 'b', 'toString', 'x-1', '');
const leaves = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'ab', 'AB', '😀', '😀a', '2026-01-31', 'a@b.de', 1.5, 0.1),
  fc.boolean(),
  fc.constant(null),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaves, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

const small = fc.integer({ min: 0, max: 3 });

/** A few keywords each, for the more there are the less passes; three levels deep. */
function schemaOf(levels: number): fc.Arbitrary<JsonObject> {
  const below = levels === 0 ? fc.constant({}) : schemaOf(levels - 1);
  const some = fc.array(below, { minLength: 1, maxLength: 2 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null', 'boolean'),
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    const: values,
    pattern: fc.constantFrom('^a', '[A-Z]{2}$', '^$', 'a|b'),
    format: fc.constantFrom('date', 'email', 'uri'),
    minLength: small,
    maxLength: small,
    minimum: small,
    multipleOf: fc.constantFrom(0.5, 2),
    uniqueItems: fc.boolean(),
    maxItems: small,
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'toString'), { maxLength: 2 }),
    properties: fc.dictionary(names, below, { maxKeys: 3, noNullPrototype: true }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '-'), below, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: fc.oneof(fc.boolean(), below),
    propertyNames: fc.constantFrom({ maxLength: 1 }, {}),
    items: below,
    contains: below,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: fc.constantFrom({ type: 'string' }, { required: ['a'] }),
  };
  const branches = ['if', 'then', 'else'].map((keyword) => [keyword, below] as const);
  const entries = [...Object.entries(keywords), ...branches].map(([keyword, value]) =>
    fc.tuple(fc.constant(keyword), value),
  );
  return fc
    .uniqueArray(fc.oneof(...entries), { maxLength: 4, selector: ([keyword]) => keyword })
    .map((given) => Object.fromEntries(given) as JsonObject);
}
