import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { messageKey } from '../../src/events/message-key';
import { storeEventsSql } from '../../src/events/store-events';
import { Database } from '../../src/platform/database/database';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { TailClient } from '../support/tail-client';
import { startTestService, type TestService } from '../support/test-service';

/** The service's own by default. */
const DEDUP_SECONDS = 7 * 86_400;

const SCHEMA = { properties: { properties: { required: ['total'] } } };

/** The Events API in one process, the listeners in another one, as behind a balancer. */
describe('the live tail', () => {
  let service: TestService;
  let intake: TestService;
  let api: ApiClient;
  let shop: { id: string; writeKey: string };
  let app: { id: string; writeKey: string };
  const open: TailClient[] = [];

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_ROLES: 'management,worker' } });
    intake = await startTestService({ databaseUrl: service.databaseUrl, env: { CDP_ROLES: 'events' } });
    api = await anApiClient(service);
    shop = (await api.post('/sources', { name: 'Shop' })).body;
    app = (await api.post('/sources', { name: 'App' })).body;
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await intake.close();
    await service.close();
  });

  const watch = async (query = '', headers: Record<string, string> = {}): Promise<TailClient> => {
    const client = await TailClient.open(service, query, headers);
    open.push(client);
    return client;
  };
  const send = async (source: { writeKey: string }, ...batch: unknown[]): Promise<number> => {
    const answer = await fetch(`${intake.url}/v1/batch?defaults=true`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}` },
      body: JSON.stringify({ batch }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const track = { type: 'track', event: 'Order Completed', userId: 'ada' };

  it('shows what another process accepts within a second of its 200, as GET /events does, and no duplicate', async () => {
    const client = await watch();
    expect(client.answer.headers.get('content-type')).toBe('text/event-stream');
    for (const messageId of ['now-1', 'now-2', 'now-3']) {
      expect(await send(shop, { ...track, messageId })).toBe(200);
      const acceptedAt = performance.now();
      await eventually(() => expect(client.shown).toContain(messageId));
      expect(performance.now() - acceptedAt).toBeLessThan(1_000);
    }
    await send(shop, { ...track, messageId: 'now-1' }, { ...track, messageId: 'now-4' });
    await eventually(() => expect(client.shown).toEqual(['now-1', 'now-2', 'now-3', 'now-4']));
    const [first] = client.messages;
    expect(first).toEqual({ type: 'accepted', data: (await api.get(`/events/${first?.data.id}`)).body });
  });

  it('shows a listener nothing from before it came, also where others listen already', async () => {
    await watch();
    for (let round = 0; round < 5; round += 1) {
      await send(shop, { ...track, messageId: `old-${round}` });
      const client = await watch();
      await send(shop, { ...track, messageId: `new-${round}` });
      await eventually(() => expect(client.shown).toEqual([`new-${round}`]));
    }
  });

  it('shows what is rejected and why, also when no more of it is kept', async () => {
    const client = await watch();
    const nameless = { type: 'track', userId: 'eve', messageId: 'bad-1' };
    expect(await send(shop, nameless)).toBe(400);
    await eventually(() => expect(client.shown).toEqual(['bad-1']));
    await eventually(async () => {
      const [kept] = (await api.get('/rejected-events?messageId=bad-1')).body;
      expect(client.messages[0]).toEqual({ type: 'rejected', data: kept });
    });
    const many = Array.from({ length: 150 }, (_, n) => ({ ...nameless, messageId: `bad-many-${n}` }));
    await send(shop, ...many);
    await eventually(() => expect(client.shown.length - 1 + client.leftOut).toBe(150));
    await send(shop, { ...nameless, messageId: 'bad-2' });
    await eventually(() => expect(client.shown).toContain('bad-2'));
    expect((await api.get('/rejected-events?messageId=bad-2')).body).toEqual([]);
  });

  it('shows what a tracking plan keeps apart, once, with what is wrong with it', async () => {
    const rules = [{ type: 'track', event: 'Order Completed', onViolation: 'quarantine', schema: SCHEMA }];
    const { id: trackingPlanId } = (await api.post('/tracking-plans', { name: 'Tail', rules })).body;
    const planned = (await api.post('/sources', { name: 'Planned', trackingPlanId })).body;
    const [client, others, rejected] = [
      await watch(),
      await watch('outcome=quarantined&userId=ada'),
      await watch('outcome=rejected'),
    ];
    const wrong = { ...track, properties: {}, messageId: 'apart-1' };
    expect(await send(planned, wrong)).toBe(200);
    await eventually(() => expect(client.shown).toEqual(['apart-1']));
    await send(planned, wrong, { ...track, properties: { total: 1 }, messageId: 'apart-2' });
    await eventually(() => expect(client.shown).toEqual(['apart-1', 'apart-2']));
    expect(others.shown).toEqual(['apart-1']);
    expect(rejected.shown).toEqual([]);
    await eventually(async () => {
      const [kept] = (await api.get('/quarantined-events?messageId=apart-1')).body;
      expect(client.messages[0]).toEqual({ type: 'quarantined', data: kept });
    });
  });

  it.each<[string, string[]]>([
    ['', ['f-1', 'f-2', 'f-3', 'f-4', 'f-5']],
    ['outcome=accepted', ['f-1', 'f-2', 'f-3', 'f-4']],
    ['outcome=rejected', ['f-5']],
    ['type=page', ['f-2']],
    ['name=Order*', ['f-1', 'f-3']],
    ['userId=ada', ['f-1', 'f-5']],
    ['userId=ada&type=track&name=Order%20Completed', ['f-1']],
    ['anonymousId=v-1', ['f-2']],
    ['sourceId=APP', ['f-4']],
    [
      `filter=${encodeURIComponent('{"types":["track"],"conditions":[{"field":"properties.total","operator":"gte","value":10}]}')}`,
      ['f-3'],
    ],
    [
      `name=Order*&filter=${encodeURIComponent('{"match":"any","conditions":[{"field":"properties.total","operator":"gte","value":10},{"field":"userId","operator":"eq","value":"ada"}]}')}`,
      ['f-1', 'f-3'],
    ],
  ])('shows of %j only what passes', async (query, expected) => {
    const client = await watch(query.replace('APP', app.id.toUpperCase()));
    const run = uuidv7();
    const id = (n: number): string => `f-${n} ${run}`;
    await send(
      shop,
      { ...track, messageId: id(1) },
      { type: 'page', name: 'Home', anonymousId: 'v-1', messageId: id(2) },
      { ...track, event: 'Order Shipped', userId: 'bob', messageId: id(3), properties: { total: 12 } },
      { type: 'track', userId: 'ada', messageId: id(5) },
    );
    await send(app, { type: 'identify', userId: 'bob', messageId: id(4) });
    const all = await watch();
    await send(shop, { ...track, messageId: `end ${run}` });
    await eventually(() => expect(all.shown).toContain(`end ${run}`));
    await eventually(() =>
      expect(new Set(client.shown.filter((shown) => /^f-.*/.test(shown) && shown.endsWith(run)))).toEqual(
        new Set(expected.map((one) => `${one} ${run}`)),
      ),
    );
  });

  it('shows the events of people in a segment', async () => {
    const rules = [{ field: 'traits.plan', operator: 'eq', value: 'pro' }];
    const segment = (await api.post('/segments', { name: 'Pro', rules })).body;
    await send(shop, { type: 'identify', userId: 'pro-1', traits: { plan: 'pro' }, messageId: 's-0' });
    await eventually(async () =>
      expect((await api.get(`/segments/${segment.id}/members`)).body).toHaveLength(1),
    );
    const client = await watch(`segmentId=${segment.id}`);
    await send(shop, { ...track, messageId: 's-1' }, { ...track, userId: 'pro-1', messageId: 's-2' });
    await eventually(() => expect(client.shown).toEqual(['s-2']));
  });

  it('shows at most fifty a second, and counts the others', async () => {
    const [all, some] = [await watch(), await watch('name=Many%201*')];
    const batch = Array.from({ length: 400 }, (_, n) => ({
      ...track,
      event: `Many ${n}`,
      messageId: `many-${n}`,
    }));
    for (let from = 0; from < batch.length; from += 100) await send(shop, ...batch.slice(from, from + 100));
    await eventually(() => expect(all.shown.length + all.leftOut).toBe(400));
    await eventually(() => expect(some.shown.length + some.leftOut).toBe(111));
    for (const { shown, leftOut } of [all, some]) {
      expect(shown.length).toBeGreaterThanOrEqual(50);
      expect(leftOut).toBeGreaterThan(0);
    }
  });

  it('misses nothing that is committed late, with an id from long before', async () => {
    const client = await watch();
    const late = new Client({ connectionString: service.databaseUrl });
    await late.connect();
    const { id: sourceId } = shop;
    const [payload, id] = [JSON.stringify({ ...track, messageId: 'late-1' }), uuidv7()];
    await late.query('begin');
    await late.query(storeEventsSql.text, [
      [messageKey(sourceId, 'late-1')],
      ['u:ada'],
      [new Date()],
      [id],
      [sourceId],
      ['track'],
      ['Late'],
      [payload],
      DEDUP_SECONDS,
      uuidv7(),
      0,
      null,
    ]);
    for (const messageId of ['early-1', 'early-2']) {
      await send(shop, { ...track, messageId });
      await eventually(() => expect(client.shown).toContain(messageId));
    }
    await late.query('commit');
    await late.end();
    await eventually(() => expect(client.shown).toEqual(['early-1', 'early-2', 'late-1']));
  });

  it('goes on where a client was that comes again', async () => {
    const before = await watch();
    await send(shop, { ...track, messageId: 'again-1' });
    await eventually(() => expect(before.shown).toEqual(['again-1']));
    await eventually(() => expect(before.lastId).not.toBe(''));
    before.close();
    await send(shop, { ...track, messageId: 'again-2' });
    const after = await watch('', { 'last-event-id': before.lastId });
    await send(shop, { ...track, messageId: 'again-3' });
    await eventually(() => expect(after.shown).toEqual(['again-2', 'again-3']));
    const lost = await watch('', { 'last-event-id': '9:1:' });
    await send(shop, { ...track, messageId: 'again-4' });
    await eventually(() => expect(lost.shown).toEqual(['again-4']));
  });

  it('ends after the seconds that were asked for', async () => {
    const client = await watch('seconds=1');
    await eventually(() => expect(client.ended).toBe(true));
  });

  it('has a token, a filter that can be read, and room for so many', async () => {
    expect((await api.with({ authorization: '' }).get('/events/tail')).status).toBe(401);
    for (const [query, path] of [
      ['filter=x', 'filter'],
      ['filter=%7B%22types%22%3A%5B%22click%22%5D%7D', 'filter.types[0]'],
      ['type=track&filter=%7B%22types%22%3A%5B%22page%22%5D%7D', 'filter'],
      ['sourceId=x', 'sourceId'],
      ['limit=5', 'limit'],
    ]) {
      const { status, body } = await api.get(`/events/tail?${query}`);
      expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path });
    }
    const answers: Response[] = [];
    for (let count = 0; count < 51; count += 1) answers.push((await watch()).answer);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toContain(503);
    expect(refused[0]?.headers.get('retry-after')).not.toBeNull();
  });

  it('takes people who are erased out of what is told', async () => {
    await watch();
    const database = service.app.get(Database);
    await send(shop, { ...track, userId: 'gone', messageId: 'gone-1' }, { ...track, messageId: 'stays-1' });
    await send(shop, { type: 'track', userId: 'gone', messageId: 'gone-2' });
    const told = () =>
      database.query<{ text: string }>(
        `select subjects::text || coalesce(rejected::text, '') as text from tail_entry`,
      );
    await eventually(async () => expect((await told()).map(({ text }) => text).join()).toContain('gone-2'));
    await eventually(async () => expect((await api.get('/profiles/gone')).status).toBe(200));
    expect((await (await anApiClient(service, ['cdp:privacy'])).delete('/profiles/gone')).status).toBe(200);
    const left = (await told()).map(({ text }) => text);
    expect(left.join()).not.toContain('gone');
    expect(left.join()).toContain('{"",u:ada}');
  });

  it('does not show the events of people who are suppressed', async () => {
    const privacy = await anApiClient(service, ['cdp:privacy']);
    await privacy.delete('/profiles/hidden?suppress=true');
    // Accepted events are looked at as by a worker, who may take a list that was empty for empty for another second.
    await eventually(async () => {
      const client = await watch();
      const [hidden, end] = [uuidv7(), uuidv7()];
      await send(
        shop,
        { ...track, userId: 'hidden', messageId: hidden },
        { type: 'track', userId: 'hidden' },
      );
      await send(
        shop,
        { ...track, messageId: end },
        { type: 'track', userId: 'ada', messageId: `bad ${end}` },
      );
      await eventually(() => expect(client.shown).toEqual(expect.arrayContaining([end, `bad ${end}`])));
      expect(client.messages.map(({ data }) => JSON.stringify(data)).join()).not.toContain('hidden');
    });
  });
});

describe('the live tail of a process', () => {
  it('costs nothing while nobody listens, and ends with the process', async () => {
    const service = await startTestService();
    const api = await anApiClient(service);
    const { writeKey } = (await api.post('/sources', { name: 'Shop' })).body;
    const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    const send = (messageId: string) =>
      api.with({ authorization }).post('/v1/batch?defaults=true', {
        batch: [{ type: 'track', event: 'E', userId: 'u', messageId }],
      });
    const entries = (): Promise<object[]> => service.app.get(Database).query('select from tail_entry');
    expect((await send('unheard')).status).toBe(200);
    expect(await entries()).toEqual([]);
    const client = await TailClient.open(service);
    expect((await send('heard')).status).toBe(200);
    await eventually(() => expect(client.shown).toEqual(['heard']));
    expect(await entries()).toHaveLength(1);
    const stoppedAt = performance.now();
    await service.close();
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    await eventually(() => expect(client.ended).toBe(true));
  });
});
