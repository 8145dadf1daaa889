import type { JsonObject } from '../../events/customer-event';
import { importPlan } from './import-plan';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

/** As `GET /tracking-plans/{id}/rules` of Segment's Public API answers, with what `GET /tracking-plans/{id}` adds. */
const SEGMENT = {
  data: {
    trackingPlan: {
      id: 'tp_1',
      slug: 'kicks-app',
      name: 'Kicks App',
      description: 'What the shop sends.',
      type: 'LIVE',
      rules: [
        {
          type: 'TRACK',
          key: 'Order Completed',
          version: 1,
          jsonSchema: {
            $schema: DRAFT_7,
            type: 'object',
            labels: { area: 'shop' },
            description: 'Who bought what',
            properties: {
              context: {},
              traits: {},
              properties: {
                type: 'object',
                required: ['price'],
                properties: {
                  price: { id: '/properties/properties/properties/price', type: ['number'] },
                  coupon: { type: ['string', 'null'], pattern: '^[A-Z]+$' },
                },
              },
            },
            required: ['properties'],
          },
        },
        { type: 'IDENTIFY', key: null, version: 1, jsonSchema: ofTraits({ name: { type: 'string' } }) },
        { type: 'PAGE', key: 'Home', version: 1, jsonSchema: { properties: { properties: {} } } },
        {
          type: 'COMMON',
          key: null,
          version: 1,
          jsonSchema: {
            $schema: DRAFT_7,
            definitions: { agent: { type: 'string' } },
            properties: {
              context: {
                required: ['userAgent'],
                properties: { userAgent: { $ref: '#/definitions/agent' } },
              },
            },
          },
        },
      ],
    },
  },
};

/** As Segment's Config API answers, and Typewriter 7 writes. */
const SEGMENT_CONFIG = {
  name: 'workspaces/shop/tracking-plans/rs_1',
  display_name: 'Kicks App',
  rules: {
    identify_traits: [],
    group_traits: [],
    events: [
      {
        name: 'Order Completed',
        description: 'Who bought what',
        version: 1,
        rules: {
          $schema: 'http://json-schema.org/draft-04/schema#',
          type: 'object',
          properties: {
            context: {},
            traits: {},
            properties: { type: 'object', required: ['price'], properties: { price: { type: ['number'] } } },
          },
        },
      },
    ],
    global: { $schema: DRAFT_7, type: 'object', properties: { context: {}, traits: {}, properties: {} } },
    identify: ofTraits({ age: { type: ['number'] } }),
    group: ofTraits({ company: { type: ['object'] } }),
  },
  create_time: '2019-02-05T01:21:25Z',
};

/** As Segment's Typewriter 8 writes: schemas of the properties alone. */
const TYPEWRITER_8 = {
  id: 'tp_1',
  name: 'Kicks App',
  rules: [
    {
      type: 'TRACK',
      key: 'Order Completed',
      version: 1,
      deprecatedAt: '0001-01-01T00:00:00.000Z',
      jsonSchema: {
        $schema: DRAFT_7,
        eventMetadata: { name: 'Order Completed', type: 'TRACK' },
        labels: {},
        type: 'object',
        required: ['price'],
        properties: { price: { id: '/properties/price', type: 'number' } },
      },
    },
  ],
};

/** As RudderStack's first API answers, and RudderTyper writes. */
const RUDDERSTACK = {
  name: 'workspaces/1/tracking-plans/tp_1',
  display_name: 'Ecommerce Spec',
  version: 11,
  rules: {
    events: [
      {
        id: 'ev_1',
        name: 'Order Completed',
        eventType: 'track',
        version: '1-0-0',
        rules: {
          $schema: 'http://json-schema.org/draft-06/schema#',
          type: 'object',
          properties: {
            context: {},
            properties: { type: 'object', required: ['price'], properties: { price: { type: 'number' } } },
          },
        },
      },
      { id: 'ev_2', name: '', eventType: 'identify', rules: ofTraits({ name: { type: 'string' } }) },
    ],
  },
};

/** As RudderStack's Data Catalog API answers an event with `format=schema`. */
const RUDDERSTACK_EVENT = {
  id: 'ev_1',
  name: 'Order Completed',
  description: 'Who bought what',
  eventType: 'track',
  categoryId: null,
  identitySection: 'properties',
  rules: {
    $schema: DRAFT_7,
    type: 'object',
    properties: {
      properties: {
        type: 'object',
        required: ['price'],
        additionalProperties: false,
        properties: { price: { type: ['number'] } },
      },
    },
  },
};

/** The same without it. */
const RUDDERSTACK_EVENT_WITHOUT_SCHEMA = {
  ...RUDDERSTACK_EVENT,
  rules: undefined,
  properties: [{ id: 'prop_1', name: 'price', type: 'number, string', required: true }],
};

function ofTraits(traits: object): object {
  return { $schema: DRAFT_7, type: 'object', properties: { traits: { type: 'object', properties: traits } } };
}

async function imported(document: object) {
  const result = await importPlan(document as JsonObject);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result;
}

async function refused(document: object): Promise<string[]> {
  const result = await importPlan(document as JsonObject);
  return result.ok ? [] : result.errors.map(({ path, code }) => `${path} ${code}`);
}

describe('importPlan', () => {
  it.each<[string, object, string, string[]]>([
    ["Segment's Public API", SEGMENT, 'Kicks App', ['track Order Completed', 'identify ', 'page Home']],
    ["Segment's Config API", SEGMENT_CONFIG, 'Kicks App', ['track Order Completed', 'identify ', 'group ']],
    ["Segment's Typewriter 8", TYPEWRITER_8, 'Kicks App', ['track Order Completed']],
    ["RudderStack's first API", RUDDERSTACK, 'Ecommerce Spec', ['track Order Completed', 'identify ']],
    [
      "an event of RudderStack's Data Catalog",
      RUDDERSTACK_EVENT,
      'Order Completed',
      ['track Order Completed'],
    ],
    [
      'a plan of such events',
      { name: 'Spec', events: [RUDDERSTACK_EVENT] },
      'Spec',
      ['track Order Completed'],
    ],
    [
      'a page of such events',
      { data: [RUDDERSTACK_EVENT], total: 1 },
      'Imported plan',
      ['track Order Completed'],
    ],
  ])('reads what is of %s', async (_, document, name, labels) => {
    const { plan } = await imported(document);
    expect(plan.name).toBe(name);
    expect(plan.rules.map(({ type, event = '' }) => `${type} ${event}`)).toEqual(labels);
    expect(plan).toMatchObject({ unplannedEvents: 'observe', unplannedProperties: 'observe' });
    expect(plan.rules[0]?.schema).toMatchObject({
      properties: { properties: { required: ['price'], properties: { price: { type: expect.anything() } } } },
    });
    expect(JSON.stringify(plan)).not.toMatch(/labels|eventMetadata|\$schema|"id":/);
  });

  it('makes what is for all events a part of each rule, and says so', async () => {
    const { plan, notes } = await imported(SEGMENT);
    expect(plan.description).toBe('What the shop sends.');
    for (const { schema } of plan.rules) {
      expect(schema.allOf).toEqual([
        {
          $defs: { agent: { type: 'string' } },
          properties: {
            context: {
              required: ['userAgent'],
              properties: { userAgent: { $ref: '#/allOf/0/$defs/agent' } },
            },
          },
        },
      ]);
    }
    expect(notes).toEqual([
      {
        path: 'data.trackingPlan.rules[3].jsonSchema',
        message: expect.stringContaining('a part of each rule'),
      },
    ]);
    expect((await imported(SEGMENT_CONFIG)).notes).toEqual([]);
  });

  it.each([
    [
      'that parts of the context are objects',
      { context: { type: 'object', properties: { app: { type: 'object' } } } },
    ],
    ['that parts of the context are planned', { context: { properties: { app: {} } } }],
    ['what the context must have', { context: { type: 'object', required: ['app'] } }],
    ['that a property is planned', { properties: { type: 'object', properties: { test: {} } } }],
    ['that a member of the event is planned', { integrations: { type: 'object' } }],
  ])('keeps of a schema for all events %s', async (_, properties) => {
    const common = { type: 'COMMON', jsonSchema: { type: 'object', properties } };
    const track = { type: 'TRACK', key: 'A', jsonSchema: {} };
    const { plan, notes } = await imported({ rules: [track, common] });
    expect(plan.rules).toMatchObject([{ schema: { allOf: [{ properties }] } }]);
    expect(notes).toMatchObject([{ path: 'rules[1].jsonSchema' }]);
  });

  it('says that a schema for all events is left out when there are none', async () => {
    const jsonSchema = { properties: { context: { required: ['app'] } } };
    const { plan, notes } = await imported({ rules: [{ type: 'COMMON', jsonSchema }] });
    expect(plan.rules).toEqual([]);
    expect(notes).toEqual([{ path: 'rules[0].jsonSchema', message: expect.stringContaining('left out') }]);
  });

  it('leaves out a schema for all events that says nothing', async () => {
    const empty = { type: 'object', properties: { context: { type: 'object' }, traits: {}, properties: {} } };
    const common = { type: 'COMMON', key: '', jsonSchema: { $schema: DRAFT_7, ...empty } };
    const { plan, notes } = await imported({ rules: [{ type: 'TRACK', key: 'A', jsonSchema: {} }, common] });
    expect({ rules: plan.rules, notes }).toMatchObject({ rules: [{ schema: {} }], notes: [] });
    expect(JSON.stringify(plan)).not.toContain('allOf');
  });

  it('cuts a name between two characters', async () => {
    const imported = await importPlan({ name: `${'x'.repeat(199)}😀`, rules: [] });
    expect(imported.ok && imported.plan.name.isWellFormed()).toBe(true);
  });

  it('leaves out the characters that no name of a plan can have', async () => {
    const imported = await importPlan({ name: 'Kicks\0 \u0007App', description: 'a\ud800', rules: [] });
    expect(imported).toMatchObject({ ok: true, plan: { name: 'Kicks App', description: 'a' } });
  });

  it('keeps the last version of an event, and names the others', async () => {
    const rule = (version: unknown, type: string) => ({
      type: 'TRACK',
      key: 'A',
      version,
      jsonSchema: { properties: { properties: { properties: { a: { type } } } } },
    });
    const { plan, notes } = await imported({ rules: [rule(10, 'string'), rule(9, 'number')] });
    expect(plan.rules).toHaveLength(1);
    expect(JSON.stringify(plan.rules)).toContain('"string"');
    expect(notes).toEqual([{ path: 'rules[1].jsonSchema', message: expect.stringContaining('version 10') }]);
    expect(await refused({ rules: [rule(1, 'string'), rule(1, 'string')] })).toEqual([
      'rules[1].key duplicate_rule',
    ]);
  });

  it.each<[string, object, string[]]>([
    [
      'events without their schemas',
      { data: [RUDDERSTACK_EVENT_WITHOUT_SCHEMA] },
      ['data[0].rules unknown_plan'],
    ],
    ['no plan at all', { hello: 1 }, ['rules unknown_plan']],
    ['a list of something else', { rules: [1] }, ['rules[0] unknown_plan']],
    [
      'a type that no plan has',
      { rules: [{ type: 'X', key: 'a', jsonSchema: {} }] },
      ['rules[0].type unknown_plan'],
    ],
    [
      'a track without a name',
      { rules: [{ type: 'TRACK', key: '', jsonSchema: {} }] },
      ['rules[0].key invalid_rule'],
    ],
    ['no schema', { rules: { events: [{ name: 'a', rules: 'b' }] } }, ['rules.events[0].rules unknown_plan']],
    [
      'a pattern that takes more than linear time',
      segmentOf({ properties: { properties: { properties: { a: { pattern: '(?!x)' } } } } }),
      ['rules[0].jsonSchema.properties.properties.properties.a.pattern invalid_pattern'],
    ],
    [
      'a name with a line break',
      segmentOf({ properties: { 'a\nb': { type: 'x' } } }),
      ['rules[0].jsonSchema.properties.a\nb.type invalid_schema'],
    ],
    [
      'dependencies of two drafts',
      segmentOf({ dependencies: { a: ['b'] }, dependentRequired: { c: ['d'] } }),
      ['rules[0].jsonSchema.dependencies unsupported_keyword'],
    ],
    [
      'a reference to a name that is no text',
      segmentOf({ definitions: { '\ud800': {} }, allOf: [{ $ref: '#/definitions/\ud800' }] }),
      ['rules[0].jsonSchema.$defs invalid_schema'],
    ],
    [
      'a name of an event that cannot be stored',
      { rules: { events: [{ name: 'a\0', rules: {} }] } },
      ['rules.events[0].name invalid_rule'],
    ],
    [
      'a circle',
      segmentOf({
        definitions: { a: { items: { $ref: '#/definitions/a' } } },
        allOf: [{ $ref: '#/definitions/a' }],
      }),
      ['rules[0].jsonSchema recursive_reference'],
    ],
    [
      'a schema that stands elsewhere',
      segmentOf({ properties: { a: { $ref: 'https://example.com/a.json' } } }),
      ['rules[0].jsonSchema.properties.a.$ref unknown_reference'],
    ],
    [
      'a schema that is too deep',
      segmentOf(JSON.parse(`${'{"not":'.repeat(60)}{}${'}'.repeat(60)}`) as object),
      ['rules[0].jsonSchema schema_too_deep'],
    ],
    [
      'a fault of the schema of all events',
      { rules: { events: [{ name: 'a', rules: {} }], global: { properties: { a: { type: 'text' } } } } },
      ['rules.global.properties.a.type invalid_schema'],
    ],
    [
      'a fault of properties that stand alone',
      segmentOf({ eventMetadata: {}, properties: { a: { minLength: 'x' } } }),
      ['rules[0].jsonSchema.properties.a.minLength invalid_schema'],
    ],
    [
      'what is for all events where that is too much for a plan',
      {
        rules: {
          events: Array.from({ length: 100 }, (_, at) => ({ name: `e${at}`, rules: {} })),
          global: { properties: { a: { description: 'x'.repeat(10_000), enum: [1] } } },
        },
      },
      ['rules.global plan_too_large'],
    ],
    [
      'too many rules',
      { rules: Array.from({ length: 1_001 }, (_, at) => ruleOf(`e${at}`)) },
      ['rules too_many_rules'],
    ],
  ])('refuses %s, with its place in the document', async (_, document, expected) => {
    expect(await refused(document)).toEqual(expected);
  });
});

function ruleOf(key: string): object {
  return { type: 'TRACK', key, jsonSchema: {} };
}

function segmentOf(jsonSchema: object): object {
  return { rules: [{ type: 'TRACK', key: 'A', version: 1, jsonSchema }] };
}
