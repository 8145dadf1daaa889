import type { JsonObject } from '../../events/customer-event';
import { parsePlan } from './parse-plan';

const ORDER = {
  type: 'track',
  event: 'Order Completed',
  schema: {
    type: 'object',
    required: ['properties'],
    properties: {
      properties: {
        type: 'object',
        required: ['total'],
        properties: { total: { type: 'number', minimum: 0 }, currency: { pattern: '^[A-Z]{3}$' } },
      },
    },
  },
};

describe('parsePlan', () => {
  it('fills in what a plan leaves out', async () => {
    expect(await parsePlan({ rules: [ORDER] })).toEqual({
      ok: true,
      content: {
        rules: [{ ...ORDER, onViolation: 'observe' }],
        unplannedEvents: 'allow',
        unplannedProperties: 'allow',
      },
    });
  });

  it('takes a rule that only names an event', async () => {
    expect(await refusals({ rules: [{ type: 'track', event: 'Seen' }] })).toEqual([]);
  });

  it.each([
    ['no list of rules', { rules: 'x' }, 'rules invalid_rules'],
    ['a rule that is none', { rules: [1] }, 'rules[0] invalid_rule'],
    ['a track without a name', { rules: [{ type: 'track' }] }, 'rules[0].event invalid_rule'],
    ['a name with NUL', { rules: [{ type: 'track', event: 'a\0' }] }, 'rules[0].event invalid_rule'],
    [
      'a name with half of a surrogate pair',
      { rules: [{ type: 'page', event: '\ud800' }] },
      'rules[0].event invalid_rule',
    ],
    ['an identify with a name', { rules: [{ type: 'identify', event: 'x' }] }, 'rules[0].event invalid_rule'],
    ['an unknown type', { rules: [{ type: 'click' }] }, 'rules[0].type invalid_rule'],
    ['a misspelt member', { rules: [{ type: 'page', shema: {} }] }, 'rules[0].shema invalid_rule'],
    [
      'an unknown action',
      { rules: [{ type: 'page', onViolation: 'drop' }] },
      'rules[0].onViolation invalid_rule',
    ],
    ['an unknown action for the unplanned', { unplannedEvents: 'drop' }, 'unplannedEvents invalid_action'],
    [
      'two rules for the same events',
      { rules: [{ type: 'page' }, { type: 'page' }] },
      'rules[1] duplicate_rule',
    ],
    ['more than a thousand rules', { rules: times(1_001, { type: 'page' }) }, 'rules too_many_rules'],
    ['more than a megabyte', { rules: ['x'.repeat(1_000_000)] }, 'rules plan_too_large'],
  ])('refuses %s', async (_, plan, expected) => {
    expect(await refusals(plan)).toEqual([expected]);
  });

  it.each<[string, unknown, string]>([
    ['no object', true, ' invalid_schema'],
    [
      'a value that a keyword cannot have',
      { properties: { a: { type: 'txt' } } },
      '.properties.a.type invalid_schema',
    ],
    ['a misspelt keyword', { properties: { a: { tpye: 'string' } } }, '.properties.a.tpye unknown_keyword'],
    ['a required member without a name', { required: [''] }, '.required invalid_schema'],
    ['an unknown format', { properties: { a: { format: 'phone' } } }, '.properties.a.format unknown_format'],
    [
      'a number beyond all doubles',
      { properties: { a: { maximum: Infinity } } },
      '.properties.a.maximum invalid_schema',
    ],
    ['such a number among others', { enum: [1, { a: [Infinity] }] }, '.enum[1].a[0] invalid_schema'],
    ['a text with NUL', { properties: { a: { const: '\0' } } }, '.properties.a.const invalid_schema'],
    ['half of a surrogate pair', { enum: ['a', '\udfff'] }, '.enum[1] invalid_schema'],
    ['a name with NUL', { properties: { 'a\0': {} } }, '.properties invalid_schema'],
    ['look-ahead', { pattern: '^(?=a)b' }, '.pattern invalid_pattern'],
    ['a back reference', { patternProperties: { '(a)\\1': true } }, '.patternProperties invalid_pattern'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, '.$ref unknown_reference'],
    ['a reference to nothing', { allOf: [{ $ref: '#/$defs/money' }] }, '.allOf[0].$ref unknown_reference'],
    ['a reference to what is no schema', { $ref: '#/enum', enum: [{}] }, '.$ref unknown_reference'],
    ['a circle', { properties: { a: { $ref: '#' } } }, ' recursive_reference'],
    // To ajv the whole is one name, of what may lead back to itself.
    ['an encoded slash', { $defs: { a: { not: {} } }, $ref: '#/$defs/a%2Fnot' }, '.$ref unknown_reference'],
    ['an id', { $id: 'https://example.com/a' }, '.$id unsupported_keyword'],
    ['a dynamic reference', { $dynamicRef: '#a' }, '.$dynamicRef unsupported_keyword'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '.$schema invalid_schema'],
    ['what is nested too deep', nested(100), ' schema_too_deep'],
    ['what is too wide', { allOf: times(2_001, {}) }, ' schema_too_large'],
    ['what doubles with each reference', doubling(30), ' schema_too_large'],
    ['much for each element', { items: { allOf: times(201, {}) } }, ' schema_too_large'],
    [
      'many patterns for each element',
      { items: { allOf: times(40, { pattern: '(a{1,9}b){9}' }) } },
      ' schema_too_large',
    ],
    ['many comparisons of all elements', { allOf: times(300, { uniqueItems: true }) }, ' schema_too_large'],
    ['many comparisons with objects', { allOf: times(200, { enum: ['a', {}] }) }, ' schema_too_large'],
    ['many counts of members', { allOf: times(300, { maxProperties: 9 }) }, ' schema_too_large'],
    ['patterns that take long to compile', { pattern: 'a'.repeat(500_000) }, '.pattern schema_too_large'],
    [
      'many patterns that take long to compile',
      { allOf: times(900, { pattern: '\\pL' }), patternProperties: { ['a'.repeat(9_000)]: true } },
      '.patternProperties schema_too_large',
    ],
  ])('refuses %s in a schema', async (_, schema, expected) => {
    expect(await refusals({ rules: [{ type: 'page', schema }] })).toEqual([`rules[0].schema${expected}`]);
  });

  it('says everything that is wrong', async () => {
    const schema = { properties: { a: { tpye: 1 } }, pattern: '(' };
    expect(await refusals({ rules: [{ type: 'page', schema }, { type: 'x' }] })).toEqual([
      'rules[0].schema.properties.a.tpye unknown_keyword',
      'rules[0].schema.pattern invalid_pattern',
      'rules[1].type invalid_rule',
    ]);
  });

  it('takes a list of 250 choices for each element', async () => {
    const currency = { enum: Array.from({ length: 250 }, (_, index) => `C${index}`) };
    const schema = {
      properties: { properties: { properties: { items: { items: { properties: { currency } } } } } },
    };
    expect(await refusals({ rules: [{ type: 'page', schema }] })).toEqual([]);
  });

  it('lets the process do other work between two rules', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const rules = Array.from({ length: 100 }, (_, index) => ({ ...ORDER, event: `Event ${index}` }));
    await parsePlan({ rules });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

async function refusals(plan: object): Promise<string[]> {
  const parsed = await parsePlan(plan);
  return parsed.ok ? [] : parsed.errors.map(({ path, code }) => `${path} ${code}`);
}

function times(count: number, value: JsonObject): JsonObject[] {
  return Array.from({ length: count }, () => value);
}

function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { not: nested(levels - 1) };
}

/** A few lines that are 2^n schemas. */
function doubling(steps: number): JsonObject {
  const twice = (index: number): JsonObject => {
    const next = { $ref: `#/$defs/s${index + 1}` };
    return index === steps ? {} : { allOf: [next, next] };
  };
  const $defs = Object.fromEntries(
    Array.from({ length: steps + 1 }, (_, index) => [`s${index}`, twice(index)]),
  );
  return { $ref: '#/$defs/s0', $defs };
}
