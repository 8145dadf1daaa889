import * as fc from 'fast-check';
import { anyEvent } from '../../../test/support/arbitrary-event';
import type { JsonObject } from '../../events/customer-event';
import { checkEvent } from '../language/check-event';
import { compilePlan } from '../language/compile-plan';
import { parsePlan } from '../language/parse-plan';
import type { PlanContent } from '../language/plan';
import { PlanInference } from './plan-inference';

/** Each compiles the plan that it is answered. */
const RUNS = { numRuns: 40 };

describe('PlanInference', () => {
  it('learns types, what is always there, and texts of few values', async () => {
    const events = Array.from({ length: 40 }, (_, at) =>
      track({
        total: at / 2,
        count: at,
        currency: at % 2 === 0 ? 'EUR' : 'USD',
        coupon: at % 3 === 0 ? null : `c-${at}`,
        ...(at % 4 === 0 ? { gift: true } : {}),
        products: [{ sku: `s-${at}`, price: 1 }, { sku: 'x' }],
      }),
    );
    const { rules, unplannedEvents, unplannedProperties } = await infer(events);
    expect({ unplannedEvents, unplannedProperties }).toEqual({
      unplannedEvents: 'observe',
      unplannedProperties: 'observe',
    });
    expect(rules).toEqual([
      {
        type: 'track',
        event: 'Order Completed',
        onViolation: 'observe',
        schema: {
          required: ['userId', 'properties'],
          properties: {
            userId: { type: 'string' },
            properties: {
              type: 'object',
              required: ['total', 'count', 'currency', 'coupon', 'products'],
              properties: {
                total: { type: 'number' },
                count: { type: 'integer' },
                currency: { type: 'string', enum: ['EUR', 'USD'] },
                coupon: { type: ['null', 'string'] },
                gift: { type: 'boolean' },
                products: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['sku'],
                    properties: { sku: { type: 'string' }, price: { type: 'integer' } },
                  },
                },
              },
            },
          },
        },
      },
    ]);
  });

  it('does not take the keys of a map for names', async () => {
    const events = Array.from({ length: 300 }, (_, at) => track({ stock: { [`sku-${at}`]: at } }));
    const plan = await infer(events);
    expect(plan.rules[0]?.schema).toMatchObject({
      properties: { properties: { properties: { stock: { type: 'object' } } } },
    });
    expect(JSON.stringify(plan)).not.toContain('sku-');
  });

  it.each([
    ['many members in elements', [track({ list: [fields(150, () => ({ a: 1, b: 'x' }))] })]],
    ['deep', [track(Array.from({ length: 60 }).reduce<JsonObject>((inner) => ({ inner }), { end: 1 }))]],
    ['many values', [track({ list: Array.from({ length: 9_000 }, () => ({ a: 1, b: 2, c: [1, 2] })) })]],
    ['wide', [track(fields(199, () => fields(199, () => 'x')))]],
    ['names of members of each object', [track({ constructor: 1, toString: 'x', __proto: 1 })]],
    [
      'members that no schema can name',
      [JSON.parse('{"type":"identify","traits":{"__proto__":1,"":2,"a":3}}')],
    ],
    ['numbers beyond those of JavaScript', [track({ huge: Infinity })]],
    ['pages without a name', [{ type: 'page' }, { type: 'page', name: '', properties: { a: 1 } }]],
    ['as many names as can be', Array.from({ length: 1_100 }, (_, at) => track({ a: at }, `Event ${at}`))],
    ['pages beyond that', Array.from({ length: 1_100 }, (_, at) => ({ type: 'page', name: `${at}`, at }))],
    ['long names', Array.from({ length: 900 }, (_, at) => track({}, `${at}`.padEnd(1_000, '"')))],
    [
      'much of everything',
      Array.from({ length: 200 }, (_, at) =>
        track(
          fields(150, () => 'x'),
          `${at}`,
        ),
      ),
    ],
  ] as [string, JsonObject[]][])('answers a plan that can be had, for %s', async (_, events) => {
    expect(await faultsOf(events)).toEqual([]);
  });

  it('answers a plan that all events pass that it has seen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), async (events) => {
        expect(await faultsOf(events as JsonObject[])).toEqual([]);
      }),
      RUNS,
    );
  });

  it('answers one for any properties', async () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    const events = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'é', '1'), value), {
      minLength: 1,
      maxLength: 50,
    });
    await fc.assert(
      fc.asyncProperty(events, async (all) => {
        expect(await faultsOf(all.map((one) => track(one as JsonObject)))).toEqual([]);
      }),
      RUNS,
    );
  });
});

function infer(events: readonly JsonObject[]): Promise<PlanContent> {
  const inference = new PlanInference();
  for (const event of events) inference.observe(event);
  return inference.toPlan();
}

/** What is wrong with the plan, as an operator would create it; else in what the events differ from it. */
async function faultsOf(events: readonly JsonObject[]): Promise<readonly object[]> {
  // Through JSON, as a client gives it back.
  const parsed = await parsePlan(JSON.parse(JSON.stringify(await infer(events))));
  if (!parsed.ok) return parsed.errors;
  const plan = compilePlan(parsed.content);
  const known = events.filter(({ type }) => typeof type === 'string' && TYPES.has(type));
  return known.flatMap((event) => checkEvent(plan, event).violations);
}

const TYPES = new Set(['track', 'identify', 'page', 'screen', 'group', 'alias']);

function track(properties: JsonObject, event = 'Order Completed'): JsonObject {
  return { type: 'track', event, userId: 'u-1', properties };
}

function fields(count: number, value: () => JsonObject | string | number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`member_${at}`, value()]));
}
