import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { InputProblems } from '../../platform/http/input/input-problems';
import type { JsonObject, JsonValue } from '../../events/customer-event';
import { compileSchema } from '../language/compile-schema';
import { inspectSchema } from '../language/inspect-schema';
import { convertSchema, type ImportNote } from './convert-schema';

function convert(given: object, target = ''): { schema: JsonObject; notes: ImportNote[] } {
  const notes: ImportNote[] = [];
  const schema = convertSchema(given as JsonObject, { path: 'here', target }, (note) => notes.push(note));
  return { schema, notes };
}

describe('convertSchema', () => {
  it.each<[string, object, object]>([
    [
      'names of schemas',
      { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', type: 'object' },
      { type: 'object' },
    ],
    [
      'names of parts',
      { properties: { a: { id: '/properties/a', type: 'string' } } },
      { properties: { a: { type: 'string' } } },
    ],
    [
      'a property that is called id',
      { properties: { id: { type: 'string' } } },
      { properties: { id: { type: 'string' } } },
    ],
    ['definitions', { definitions: { a: { type: 'string' } } }, { $defs: { a: { type: 'string' } } }],
    [
      'items of their own kinds',
      { items: [{ type: 'string' }, {}], additionalItems: { type: 'number' } },
      { prefixItems: [{ type: 'string' }, {}], items: { type: 'number' } },
    ],
    ['items of no kind', { items: [], additionalItems: false }, { items: false }],
    ['additionalItems beside one kind of items', { items: {}, additionalItems: false }, { items: {} }],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    ['a limit that is exclusive in draft 4', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['a limit that is exclusive but not there', { exclusiveMaximum: true }, {}],
    [
      'definitions of both kinds',
      {
        definitions: { a: { type: 'string' } },
        $defs: { a: { type: 'number' } },
        not: { $ref: '#/definitions/a' },
      },
      {
        definitions: { a: { type: 'string' } },
        $defs: { a: { type: 'number' } },
        not: { $ref: '#/definitions/a' },
      },
    ],
    [
      'a name that is no text',
      { definitions: { '\ud800': {} }, not: { $ref: '#/definitions/\ud800' } },
      { $defs: { '\ud800': {} }, not: { $ref: '#/$defs/%EF%BF%BD' } },
    ],
    ['a limit that is not', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    ['a limit of draft 7', { minimum: 1, exclusiveMinimum: 2 }, { minimum: 1, exclusiveMinimum: 2 }],
    [
      'what stands beside a reference',
      { $defs: { a: {} }, properties: { b: { $ref: '#/$defs/a', type: 'string', description: 'B' } } },
      { $defs: { a: {} }, properties: { b: { $ref: '#/$defs/a', description: 'B' } } },
    ],
  ])('writes %s as 2020-12 does', (_, given, expected) => {
    expect(convert(given)).toEqual({ schema: expected, notes: [] });
  });

  it('lets references follow what they refer to', () => {
    const given = {
      definitions: { money: { type: 'number' }, name: { $id: '#name', type: 'string' }, '50 %': {} },
      properties: {
        list: { items: [{ type: 'string' }], additionalItems: { type: 'number' } },
        price: { $ref: '#/definitions/money' },
        first: { $ref: '#/properties/list/items/0' },
        rest: { $ref: '#/properties/list/additionalItems' },
        name: { $ref: '#name' },
        share: { $ref: '#/definitions/50%20%25' },
      },
    };
    const { schema } = convert(given, '/allOf/0');
    expect(schema.properties).toMatchObject({
      price: { $ref: '#/allOf/0/$defs/money' },
      first: { $ref: '#/allOf/0/properties/list/prefixItems/0' },
      rest: { $ref: '#/allOf/0/properties/list/items' },
      name: { $ref: '#/allOf/0/$defs/name' },
    });
    const problems = new InputProblems();
    inspectSchema({ allOf: [schema] }, 'schema', problems);
    expect(problems.errors).toEqual([]);
  });

  it('leaves out what says nothing in any draft, with a note', () => {
    const given = { properties: { a: { type: 'string', format: 'phone', nullable: true } } };
    expect(convert(given)).toEqual({
      schema: { properties: { a: { type: 'string' } } },
      notes: [
        { path: 'here.properties.a.format', message: 'The format "phone" is not checked.' },
        { path: 'here.properties.a.nullable', message: 'Is no keyword of JSON Schema: it is left out.' },
      ],
    });
  });

  it('leaves what a plan cannot say to be refused', () => {
    const given = {
      properties: { a: { pattern: '(?=x)' }, b: { $ref: 'https://example.com/b.json' }, c: [1] },
    };
    expect(convert(given)).toEqual({ schema: given, notes: [] });
  });
});

describe('a converted schema', () => {
  const KEYS = ['a', 'b', 'id'];
  const key = fc.constantFrom(...KEYS);
  const scalar = fc.constantFrom<JsonValue>(null, true, 0, 1, 2.5, '', 'a', 'bb');
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const REFERENCES = [
    '#/definitions/a',
    '#/definitions/b',
    '#b',
    '#/definitions/a/items/0',
    '#/definitions/a/additionalItems',
  ];
  const leaf = fc.oneof(
    fc.constant({}),
    fc.boolean(),
    fc.record({ type: fc.constantFrom('string', 'number', 'object', 'array', 'null', 'integer') }),
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minimum: fc.constantFrom(0, 1) }),
    fc.record({ exclusiveMaximum: fc.constantFrom(1, 2) }),
    fc.record({ required: fc.uniqueArray(key) }),
    fc.record({ $ref: fc.constantFrom(...REFERENCES) }),
  );
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
    const several = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
    return {
      schema: fc.oneof(
        { maxDepth: 2, withCrossShrink: true },
        leaf,
        fc.record(
          {
            id: fc.constantFrom('/properties/a'),
            properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
            additionalProperties: tie('schema'),
            items: fc.oneof(tie('schema'), several),
            additionalItems: tie('schema'),
            contains: tie('schema'),
            dependencies: fc.dictionary(key, fc.oneof(tie('schema'), fc.uniqueArray(key)), { maxKeys: 2 }),
            not: tie('schema'),
            anyOf: several,
            allOf: several,
            if: tie('schema'),
            else: tie('schema'),
          },
          { requiredKeys: [] },
        ),
      ),
    };
  });

  it('lets pass what the schema of draft 7 lets pass', () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (part, values) => {
        const definitions = {
          a: { items: [{ type: 'string' }, {}], additionalItems: { type: 'number' } },
          b: { $id: '#b', dependencies: { a: ['b'], b: { properties: { a: { type: 'string' } } } } },
        };
        const given = { $schema: 'http://json-schema.org/draft-07/schema#', definitions, allOf: [part] };
        const validate = new Ajv({ strict: false, logger: false, ownProperties: true }).compile(
          withoutIds(given),
        );
        const check = compileSchema({ allOf: [convert(given, '/allOf/0').schema] }, false);
        expect(values.map((one) => check(one).length === 0)).toEqual(values.map((one) => validate(one)));
      }),
      { numRuns: 50 },
    );
  });
});

/** In draft 4 a part is named by \`id\`; ajv refuses those of Segment, which are no addresses. */
function withoutIds(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"id":"/properties/a"', '"title":"a"')) as object;
}
