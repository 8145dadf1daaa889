import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../src/events/customer-event';
import { RecentEvents } from '../../src/tracking-plans/trying/recent-events';
import { type ApiClient, anApiClient } from '../support/api-client';
import { startTestService, type TestService } from '../support/test-service';

const NOW = new Date().toISOString();
const PRODUCTS = { items: { properties: { price: { type: 'number' } } } };
const SCHEMA = {
  properties: {
    properties: { required: ['total'], properties: { total: { type: 'number' }, products: PRODUCTS } },
  },
};
const RULE = { type: 'track', event: 'Order Completed', schema: SCHEMA, onViolation: 'block' };
const UNKNOWN_ID = '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b';

interface TestedSource {
  readonly id: string;
  readonly writeKey: string;
}

describe('plans that are tried out on stored events', () => {
  let service: TestService;
  let api: ApiClient;
  let operator: ApiClient;
  let source: TestedSource;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    api = await anApiClient(service, ['cdp:read']);
    operator = await anApiClient(service);
    source = await newSource();
    const orders = Array.from({ length: 200 }, (_, at) => ({
      total: at % 10 === 0 ? 'free' : at,
      products: at % 20 === 0 ? [{ price: 1 }, { price: '2' }, { price: '3' }] : [],
    }));
    for (const half of [orders.slice(0, 100), orders.slice(100)]) {
      await send(
        source,
        half.map((properties) => track(properties)),
      );
    }
    await send(source, [
      {
        type: 'page',
        messageId: randomUUID(),
        timestamp: NOW,
        userId: 'u-1',
        name: 'Home',
        properties: { path: '/' },
      },
    ]);
    await send(await newSource(), [track({ total: 'of another source' })]);
  });
  afterAll(() => service.close());

  it('say how many would have been refused, by rule and path, with examples', async () => {
    const rules = [RULE, { type: 'page', event: 'Cart' }];
    const plan = { rules, unplannedEvents: 'observe' };
    const { status, body } = await api.post('/tracking-plans/preview', { plan, sourceId: source.id });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        events: 201,
        complete: true,
        outcomes: { pass: 180, observe: 1, omit: 0, quarantine: 0, block: 20 },
        violations: [
          { rule: 'track Order Completed', path: 'properties.total', keyword: 'type', events: 20 },
          { path: 'properties.products[].price', message: 'It must be number.', events: 10 },
          { rule: 'page Home', path: '', code: 'unplanned_event', events: 1 },
        ],
      },
    });
    const [{ examples }, { examples: ofProducts }] = body.violations;
    expect(examples).toHaveLength(3);
    expect(ofProducts[0]).toMatchObject({ outcome: 'block', path: 'properties.products[1].price' });
    const { body: stored } = await api.get(`/events/${examples[0].eventId}`);
    expect(stored).toMatchObject({
      messageId: examples[0].messageId,
      payload: { properties: { total: 'free' } },
    });
  });

  it('look at the newest events only, as many as are asked for', async () => {
    const given = { plan: { rules: [], unplannedEvents: 'block' }, sourceId: source.id, last: 3 };
    expect((await api.post('/tracking-plans/preview', given)).body).toMatchObject({
      events: 3,
      // The plan says nothing of pages.
      outcomes: { pass: 1, block: 2 },
      violations: [{ rule: 'track Order Completed', events: 2 }],
    });
  });

  it('may be plans that are there', async () => {
    const { body: plan } = await operator.post('/tracking-plans', { name: 'Shop', rules: [RULE] });
    const given = { planId: plan.id, sourceId: source.id };
    const { body } = await api.post('/tracking-plans/preview', given);
    expect(body.outcomes).toMatchObject({ pass: 181, block: 20 });
    expect((await api.post('/tracking-plans/preview', { ...given, plan })).status).toBe(400);
    const answered = await api.post('/tracking-plans/preview', { plan, sourceId: source.id });
    expect(answered.body).toEqual(body);
  });

  it.each([
    [{ plan: { rules: [{ ...RULE, schema: { tpye: 'x' } }] } }, 400, 'plan.rules[0].schema.tpye'],
    [{ plan: { rulez: [] } }, 400, 'plan.rulez'],
    [{}, 400, 'plan'],
    [{ plan: {}, last: 0 }, 400, 'last'],
    [{ plan: {}, sourceId: 'x' }, 400, 'sourceId'],
    [{ plan: {}, sourceId: UNKNOWN_ID }, 404, undefined],
    [{ planId: UNKNOWN_ID }, 404, undefined],
  ])('that are not valid are refused: %j', async (given, status, path) => {
    const answer = await api.post('/tracking-plans/preview', { sourceId: source.id, ...given });
    expect({ status: answer.status, path: answer.body.errors?.[0]?.path }).toEqual({ status, path });
  });

  it('are learned from the events, which then pass', async () => {
    const { status, body } = await api.post('/tracking-plans/infer', { sourceId: source.id });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        events: 201,
        plan: {
          unplannedProperties: 'observe',
          rules: [
            {
              event: 'Order Completed',
              schema: {
                properties: {
                  properties: {
                    required: ['total', 'products'],
                    properties: { total: { type: ['integer', 'string'] } },
                  },
                },
              },
            },
            { type: 'page', event: 'Home' },
          ],
        },
      },
    });
    const preview = { plan: body.plan, sourceId: source.id };
    expect((await api.post('/tracking-plans/preview', preview)).body).toMatchObject({
      outcomes: { pass: 201 },
      violations: [],
    });
  });

  it('see events as they came in, without what a plan has said of them', async () => {
    const judged = await newSource();
    const { body: plan } = await operator.post('/tracking-plans', { name: 'Strict', rules: [RULE] });
    expect((await operator.put(`/sources/${judged.id}`, { trackingPlanId: plan.id })).status).toBe(200);
    await send(judged, [track({ total: 1 })]);
    const rules = [{ ...RULE, schema: { properties: { context: { properties: { trackingPlan: false } } } } }];
    const { body } = await api.post('/tracking-plans/preview', { plan: { rules }, sourceId: judged.id });
    expect(body).toMatchObject({ events: 1, outcomes: { pass: 1 } });
  });

  it('let the process do other work meanwhile', async () => {
    let sinceTurn = 0;
    let most = 0;
    let isDone = false;
    const turn = (): void => {
      sinceTurn = 0;
      if (!isDone) setImmediate(turn);
    };
    turn();
    const recent = service.app.get(RecentEvents, { strict: false });
    const query = { sourceId: source.id, last: 50, untilMs: Infinity };
    await recent.forEach(query, () => {
      most = Math.max(most, (sinceTurn += 1));
      for (const endMs = performance.now() + 3; performance.now() < endMs;);
    });
    isDone = true;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(10);
  });

  async function newSource(): Promise<TestedSource> {
    const { body } = await operator.post<TestedSource>('/sources', { name: randomUUID() });
    return body;
  }

  async function send({ writeKey }: TestedSource, batch: readonly JsonObject[]): Promise<void> {
    const answer = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ batch }),
    });
    expect(await answer.json()).toEqual(expect.objectContaining({ accepted: batch.length }));
  }
});

function track(properties: JsonObject): JsonObject {
  return {
    type: 'track',
    messageId: randomUUID(),
    timestamp: NOW,
    event: 'Order Completed',
    userId: 'u-1',
    properties,
  };
}
