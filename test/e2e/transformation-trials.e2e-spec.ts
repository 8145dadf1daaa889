import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const ENDLESS = 'export const transform = () => { for (;;); };';
/** Not counted, so that only the clock ends it. */
const SEARCHING =
  'const text = "a".repeat(1e6); export const transform = () => { for (;;) text.indexOf("b"); };';

describe('transformations that are tried out on stored events', () => {
  let service: TestService;
  let api: ApiClient;
  let operator: ApiClient;
  let tests = 0;
  let name: string;

  beforeAll(async () => {
    // The threads of the sandbox run what is built.
    buildService();
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    [api, operator] = await Promise.all([anApiClient(service, ['cdp:read']), anApiClient(service)]);
  });
  afterAll(() => service.close());
  beforeEach(() => (name = `Tried ${++tests}`));

  const send = (...properties: object[]): Promise<unknown> =>
    deliver(
      service,
      properties.map((one) => anEvent({ event: name, properties: one as never })),
    );
  const test = async (code: string, members: object = {}, client = api) =>
    client.post('/transformations/test', { code, filter: { events: [name] }, ...members });

  it('show each event before and after, and in what it is different', async () => {
    await send({ total: 1 }, { total: 2, vip: true });
    const { status, body } = await test(
      'export const transform = ({ properties: { vip, ...rest }, ...event }) => ({ ...event, properties: rest, shop: "north" });',
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { complete: true, events: [{ name, type: 'track', before: { event: name } }, {}] },
    });
    const ofVip = body.events.find(
      (one: { before: { properties: object } }) => 'vip' in one.before.properties,
    );
    expect(ofVip.after).toMatchObject([{ event: { shop: 'north', properties: { total: 2 } } }]);
    expect(ofVip.after[0].changes).toEqual([
      { kind: 'removed', path: '/properties/vip', before: true },
      { kind: 'added', path: '/shop', after: 'north' },
    ]);
    expect(ofVip.error).toBeUndefined();
  });

  it('show none, several, and errors with their line', async () => {
    await send({ kind: 'none' }, { kind: 'two' }, { kind: 'wrong' });
    const { body } = await test(`export function transform({ properties: { kind } }) {
      if (kind === 'none') return null;
      if (kind === 'two') return [{ part: 1 }, { part: 2 }];
      return kind.nothing.there;
    }`);
    const of = (kind: string) =>
      body.events.find(
        (one: { before: { properties: { kind: string } } }) => one.before.properties.kind === kind,
      );
    expect(of('none')).toMatchObject({ after: [] });
    expect(of('none').error).toBeUndefined();
    expect(of('two').after).toMatchObject([{ event: { part: 1 } }, { event: { part: 2 } }]);
    expect(of('wrong')).toMatchObject({
      after: [],
      error: { kind: 'threw', line: 4, message: expect.stringContaining('TypeError') },
    });
  });

  it('take the newest events that pass the filter, in the language of destinations', async () => {
    await send({ n: 1 });
    await send({ n: 2 });
    await send({ n: 3 });
    const conditions = [{ field: 'properties.n', operator: 'lt', value: 3 }];
    const filter = { events: [name], conditions };
    const { body } = await test('export const transform = (event) => event;', { filter, last: 1 });
    expect(body).toMatchObject({ complete: true, events: [{ before: { properties: { n: 2 } } }] });
    expect(body.considered).toBeGreaterThan(2);
    expect(body.events[0].after[0].changes).toEqual([]);
    const all = await test('export const transform = (event) => event;', { filter: null, last: 1 });
    expect(all.body).toMatchObject({ considered: 1, events: [{ before: { properties: { n: 3 } } }] });
  });

  it.each<[string, object, string, RegExp]>([
    ['code that is none', { code: 'export function transform( {' }, 'code', /line 1: SyntaxError/],
    ['code that does not end', { code: 'for (;;);' }, 'code', /too long/],
    ['code that is blank', { code: ' ' }, 'code', /blank/],
    ['code that is too long', { code: 'x'.repeat(65_537) }, 'code', /65536/],
    ['a filter without a name', { filter: { events: [''] } }, 'filter.events[0]', /./],
    [
      'an operator that is none',
      { filter: { conditions: [{ field: 'a', operator: 'is' }] } },
      'filter.conditions[0].operator',
      /./,
    ],
    ['a filter that is no object', { filter: 'track' }, 'filter', /object/],
    ['too many events', { last: 101 }, 'last', /100/],
    ['no event', { last: 0 }, 'last', /1/],
  ])('refuse %s, and say where', async (_, members, path, message) => {
    const { status, body } = await test('export const transform = (event) => event;', members);
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [expect.objectContaining({ path, message: expect.stringMatching(message) })],
    });
  });

  it('need the right to read events, and no other', async () => {
    await send({ total: 1 });
    const code = 'export const transform = () => null;';
    const writer = await anApiClient(service, []);
    expect((await test(code, {}, writer)).status).toBe(403);
    expect((await test(code)).status).toBe(200);
  });

  it('keep nothing', async () => {
    await send({ total: 1 });
    await test('export const transform = () => ({ made: true });');
    expect((await operator.get('/transformations')).body).toEqual([]);
    const { body: audited } = await operator.get('/audit');
    expect(JSON.stringify(audited)).not.toContain('made');
  });

  it('end in time, with what was tried until then', async () => {
    await send(...Array.from({ length: 4 }, (_, n) => ({ n })));
    const { status, body } = await test(SEARCHING);
    expect({ status, complete: body.complete }).toEqual({ status: 200, complete: false });
    expect(body.events.length).toBeGreaterThan(0);
    for (const { error } of body.events) expect(error).toMatchObject({ kind: 'timed_out' });
  });

  it('end with an answer that is not too large', async () => {
    await send(...Array.from({ length: 5 }, (_, n) => ({ n })));
    const code = 'export const transform = () => ({ text: "x".repeat(900000) });';
    const { body } = await test(code);
    expect(body.complete).toBe(false);
    expect(body.events).toHaveLength(2);
  });

  it('show what is nested as deep as it can be', async () => {
    await send({ total: 1 });
    const code = `export function transform() {
      let deep = {};
      for (let n = 0; n < 400; n += 1) deep = { deep };
      return deep;
    }`;
    const { status, body } = await test(code);
    expect({ status, kinds: body.events[0].after[0].changes.at(-1).kind }).toEqual({
      status: 200,
      kinds: 'added',
    });
  });

  it('are few at a time, and hold up no delivery', async () => {
    const receiver = await Receiver.start();
    const code = 'export const transform = (event) => ({ ...event, shop: "north" });';
    const { body: transformation } = await operator.post('/transformations', { name, code });
    const config = { url: receiver.url };
    const given = { name, type: 'webhook', config, transformationId: transformation.id };
    const { body: destination } = await operator.post('/destinations', given);
    await send({ n: 1 });
    const trials = [SEARCHING, `${SEARCHING} `, `${ENDLESS} `].map((tried) => test(tried, { last: 1 }));
    const refused = await Promise.race(trials);
    expect(refused).toMatchObject({ status: 503, body: { code: 'trials_busy' } });
    await send({ n: 2 });
    await eventually(async () => {
      const rows = await ledgerOf(service, destination.id);
      expect(rows.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    });
    const answers = await Promise.all(trials);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 503]);
    expect((await test(code)).status).toBe(200);
    await operator.delete(`/destinations/${destination.id}`);
    await operator.delete(`/transformations/${transformation.id}`);
    await receiver.stop();
  });
});
