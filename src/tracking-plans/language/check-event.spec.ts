import type { JsonObject } from '../../events/customer-event';
import { checkEvent } from './check-event';
import { compilePlan } from './compile-plan';
import { RuleCache } from './compile-rule';
import { omitMembers } from './omit-members';
import { type GivenPlan, parsePlan } from './parse-plan';
import type { Verdict } from './plan';

const SCHEMA = {
  properties: {
    properties: {
      required: ['total'],
      properties: {
        total: { type: 'number', minimum: 0 },
        currency: { enum: ['EUR', 'USD'] },
        products: {
          type: 'array',
          items: { properties: { sku: { type: 'string' }, price: { type: 'number' } } },
        },
        address: { properties: { city: { type: 'string' } } },
        free: { type: 'object' },
      },
    },
  },
};
const GOOD = { total: 12.5, currency: 'EUR', products: [{ sku: 'a', price: 1 }] };

describe('checkEvent', () => {
  it('lets an event pass that is as planned', async () => {
    const event = track(GOOD);
    expect(await check({}, event)).toEqual({
      outcome: 'pass',
      violations: [],
      omitted: [],
      event,
    });
  });

  it('says what is wrong, by path, keyword and rule', async () => {
    const { outcome, violations } = await check({}, track({ currency: 'BTC', products: [{ sku: 1 }, 'x'] }));
    expect(outcome).toBe('observe');
    expect(violations).toEqual([
      {
        rule: 'track Order Completed',
        path: 'properties.total',
        code: 'schema_violation',
        keyword: 'required',
        message: 'It must be there.',
      },
      expect.objectContaining({
        path: 'properties.currency',
        keyword: 'enum',
        message: 'It must be one of "EUR", "USD".',
      }),
      expect.objectContaining({
        path: 'properties.products[0].sku',
        keyword: 'type',
        message: 'It must be string.',
      }),
    ]);
  });

  it('omits what is wrong, and remembers it', async () => {
    const properties = { total: -1, currency: 'EUR', products: [{ sku: 1, price: 2 }, { sku: 'b' }] };
    const event = track(properties);
    const { outcome, omitted, event: left } = await check({ onViolation: 'omit' }, event);
    expect({ outcome, omitted }).toEqual({
      outcome: 'omit',
      omitted: ['properties.total', 'properties.products[0].sku'],
    });
    expect(left.properties).toEqual({ currency: 'EUR', products: [{ price: 2 }, { sku: 'b' }] });
    expect(event.properties).toEqual(properties);
  });

  it('omits the whole array for an element that is wrong, so that no other takes its place', async () => {
    const schema = { properties: { properties: { properties: { tags: { items: { type: 'string' } } } } } };
    const { omitted, event } = await check(
      { schema, onViolation: 'omit' },
      track({ tags: ['a', 1, 'b'], x: 1 }),
    );
    expect(omitted).toEqual(['properties.tags']);
    expect(event.properties).toEqual({ x: 1 });
  });

  it('finds properties that the plan does not name, at any depth, but not where it names none', async () => {
    const properties = {
      ...GOOD,
      extra: 1,
      address: { city: 'x', zip: 1 },
      free: { any: 1 },
      products: [{ c: 1 }],
    };
    const { violations, omitted, event } = await check({ unplannedProperties: 'omit' }, track(properties));
    expect(violations.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'properties.products[0].c unplanned_property',
      'properties.extra unplanned_property',
      'properties.address.zip unplanned_property',
    ]);
    expect(omitted).toHaveLength(3);
    expect(event.properties).toEqual({ ...GOOD, address: { city: 'x' }, free: { any: 1 }, products: [{}] });
  });

  it('knows the properties that branches, references and patterns name', async () => {
    const schema = {
      $defs: { a: { properties: { properties: { properties: { a: true } } } } },
      allOf: [{ $ref: '#/$defs/a' }],
      anyOf: [{ properties: { properties: { properties: { b: true } } } }, true],
      properties: { properties: { patternProperties: { '^x_': true } } },
    };
    const given = track({ a: 1, b: 1, x_1: 1, y: 1 });
    const { violations } = await check({ schema, unplannedProperties: 'observe' }, given);
    expect(violations.map(({ path }) => path)).toEqual(['properties.y']);
  });

  it.each([
    [{ const: 'EUR' }, 'It must be "EUR".'],
    [{ enum: ['EUR'] }, 'It must be "EUR".'],
    [{ enum: [1, null, { a: 1 }] }, 'It must be one of 1, null, {"a":1}.'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7] }, 'It must be one of 1, 2, 3, 4, 5, or 2 more.'],
    [{ const: 'x'.repeat(1_000) }, `It must be "${'x'.repeat(31)}….`],
    [{ enum: ['a\u001B[1m', 'b'] }, 'It must be one of "a\\u001b[1m", "b".'],
  ])('names the first values that are allowed, and not all of a long one: %j', async (currency, message) => {
    const schema = { properties: { properties: { properties: { currency } } } };
    const { violations } = await check({ schema }, track({ currency: 'BTC' }));
    expect(violations).toEqual([expect.objectContaining({ path: 'properties.currency', message })]);
  });

  it.each(['observe', 'quarantine', 'block'] as const)(
    'answers %s for an event without a rule',
    async (action) => {
      const verdict = await judge({ unplannedEvents: action }, track({}, 'Other'));
      expect(verdict).toMatchObject({
        outcome: action,
        omitted: [],
        violations: [{ code: 'unplanned_event' }],
      });
      expect(verdict.violations[0]?.rule).toBe('track Other');
    },
  );

  it('omits all properties and traits of an event without a rule', async () => {
    const event = { ...track({ a: { b: 1 }, c: 2 }, 'Other'), traits: { d: 1 } };
    const verdict = await judge({ unplannedEvents: 'omit' }, event);
    expect(verdict.omitted).toEqual(['properties.a', 'properties.c', 'traits.d']);
    expect(verdict.event).toMatchObject({ properties: {}, traits: {} });
    expect(verdict.violations).toHaveLength(1);
  });

  it('finds nothing unplanned in types of which the plan has no rule, track aside', async () => {
    const outcomeOf = async (rules: object[], event: JsonObject): Promise<string> =>
      (await judge({ rules, unplannedEvents: 'block' }, event)).outcome;
    const tracks = [{ type: 'track', event: 'Order Completed' }];
    for (const type of ['identify', 'page', 'screen', 'group', 'alias']) {
      expect(await outcomeOf(tracks, { type })).toBe('pass');
    }
    expect(await outcomeOf(tracks, { type: 'page', name: 'Home' })).toBe('pass');
    const pages = [{ type: 'page', event: 'Home' }];
    expect(await outcomeOf(pages, { type: 'page', name: 'Other' })).toBe('block');
    expect(await outcomeOf(pages, { type: 'screen', name: 'Other' })).toBe('pass');
    expect(await outcomeOf(pages, track({}))).toBe('block');
  });

  it('uses the rule of a type for events that have none of their own', async () => {
    const rules = [
      { type: 'page', schema: { required: ['context'] } },
      { type: 'page', event: 'Home' },
    ];
    const named = (name?: string): JsonObject => ({ type: 'page', ...(name === undefined ? {} : { name }) });
    expect((await judge({ rules }, named('Home'))).outcome).toBe('pass');
    expect((await judge({ rules }, named('Other'))).outcome).toBe('observe');
    expect((await judge({ rules }, named())).violations[0]?.rule).toBe('page');
  });

  it('lets the strongest action win, and then omits nothing', async () => {
    const plan = { onViolation: 'quarantine', unplannedProperties: 'omit' };
    expect(await check(plan, track({ extra: 1 }))).toMatchObject({
      outcome: 'quarantine',
      omitted: [],
      event: { properties: { extra: 1 } },
    });
  });

  it('sums up branches that all fail', async () => {
    const schema = { properties: { properties: { anyOf: [{ required: ['a'] }, { required: ['b'] }] } } };
    const { violations } = await check({ schema }, track({}));
    expect(violations.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual(['properties anyOf']);
  });

  it('keeps 20 violations of an event, and omits all', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]));
    const verdict = await check({ unplannedProperties: 'omit' }, track({ ...GOOD, ...many }));
    expect(verdict.violations).toHaveLength(20);
    expect(verdict.omitted).toHaveLength(100);
    expect(verdict.event.properties).toEqual(GOOD);
  });

  it('omits all that is wrong, also beyond the violations that are told', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1]));
    const tags = Array.from({ length: 50 }, () => 1);
    const ofEach = { items: { type: 'string' }, type: ['array', 'string'] };
    const schema = { properties: { properties: { additionalProperties: ofEach } } };
    const given = track({ tags, ...many, fine: 'x' });
    const verdict = await check({ schema, onViolation: 'omit' }, given);
    expect(verdict.violations).toHaveLength(20);
    expect(verdict.omitted).toHaveLength(51);
    expect(verdict.event.properties).toEqual({ fine: 'x' });
  });

  it.each<[string, JsonObject, unknown]>([
    ['branches', { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, times(15_000, 1)],
    ['contained elements', { items: { contains: { type: 'string' } } }, times(10_000, [])],
    ['names', { propertyNames: { pattern: '^z' } }, membersOf(4_000)],
  ])('tells in time of many errors that sum up others: %s', async (_, below, value) => {
    const schema = { properties: { properties: { properties: { a: below } } } };
    const startMs = performance.now();
    expect((await check({ schema }, track({ a: value }))).violations[0]?.code).toBe('schema_violation');
    expect(performance.now() - startMs).toBeLessThan(800);
  });

  it('finds more that is unplanned than a call takes arguments', async () => {
    const { outcome } = await check({ unplannedProperties: 'observe' }, track(membersOf(200_000)));
    expect(outcome).toBe('observe');
  });

  it('shortens a message that repeats a long pattern', async () => {
    const schema = { properties: { event: { pattern: `[${'x'.repeat(5_000)}]y` } } };
    expect((await check({ schema }, track({}))).violations[0]?.message).toHaveLength(256);
  });

  it('does not check an event with so many values that others would have to wait', async () => {
    const checks = Array.from({ length: 90 }, () => ({ type: 'string' }));
    const schema = { properties: { properties: { properties: { a: { items: { allOf: checks } } } } } };
    const plan = { schema, onViolation: 'block', unplannedProperties: 'block' };
    const texts = (count: number): string[] => Array.from({ length: count }, () => 'x');
    expect((await check(plan, track({ a: texts(300) }))).outcome).toBe('pass');
    expect(await check(plan, track({ a: texts(2_000), b: 1 }))).toMatchObject({
      outcome: 'block',
      violations: [{ path: '', code: 'schema_violation', keyword: 'tooManyValues' }],
    });
  });

  it.each([
    { additionalProperties: false, properties: { type: true, event: true, properties: true } },
    { allOf: [{ maxProperties: 3 }] },
    { $ref: '#/$defs/few', $defs: { few: { propertyNames: { enum: ['type', 'event', 'properties'] } } } },
    { not: { minProperties: 4 } },
  ])('takes a member that is undefined for none, by %j', async (schema) => {
    const event = { ...track({}), userId: undefined } as unknown as JsonObject;
    expect((await check({ schema }, event)).outcome).toBe('pass');
    expect((await check({ schema }, { ...event, userId: 'ada' })).outcome).toBe('observe');
  });

  it('compiles a rule once, also for the next version of the plan', async () => {
    const cache = new RuleCache();
    const parsed = await parsePlan({ rules: [{ type: 'page', schema: SCHEMA }] });
    if (!parsed.ok) throw new Error('not valid');
    const rules = [0, 1].map(() => compilePlan(parsed.content, cache).ruleFor('page', undefined)?.compiled);
    expect(rules[0]).toBe(rules[1]);
    cache.keepOnly(new Set());
    expect(cache.size).toBe(0);
  });
});

function times(count: number, value: unknown): unknown[] {
  return Array.from({ length: count }, () => value);
}

function membersOf(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
}

function track(properties: unknown, event = 'Order Completed'): JsonObject {
  return { type: 'track', event, properties } as JsonObject;
}

/** With one rule. */
function check(
  {
    schema = SCHEMA,
    onViolation = 'observe',
    ...plan
  }: GivenPlan & { schema?: object; onViolation?: string },
  event: JsonObject,
): Promise<Judged> {
  return judge({ ...plan, rules: [{ type: 'track', event: 'Order Completed', schema, onViolation }] }, event);
}

/** With what is left of the event. */
type Judged = Omit<Verdict, 'targets'> & { readonly event: JsonObject };

async function judge(plan: GivenPlan, event: JsonObject): Promise<Judged> {
  const parsed = await parsePlan(plan);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { targets, ...verdict } = checkEvent(compilePlan(parsed.content), event);
  return { ...verdict, event: targets.length === 0 ? event : omitMembers(event, targets) };
}
