import { lowestId } from '../../src/events/partitions/partition-plan';
import { keepRejectedEvents } from '../../src/events/rejected/keep-rejected-events';
import { userSubject } from '../../src/events/subject';
import { Database } from '../../src/platform/database/database';
import { aToken } from '../support/a-token';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const FAST = { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '2' };
const UNKNOWN_ID = '01930000-0000-7000-8000-000000000000';

describe('the inspector', () => {
  let service: TestService;
  let api: ApiClient;
  let shop: { id: string; writeKey: string };
  let app: { id: string; writeKey: string };

  beforeAll(async () => {
    service = await startTestService({ env: FAST });
    api = await anApiClient(service);
    shop = (await api.post('/sources', { name: 'Shop' })).body;
    app = (await api.post('/sources', { name: 'App' })).body;
  });
  afterAll(() => service.close());

  const send = async (source: { writeKey: string }, ...batch: unknown[]): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    return (await api.with({ authorization }).post('/v1/batch?defaults=true', { batch })).status;
  };
  const untilProcessed = (userId: string): Promise<unknown> =>
    eventually(async () => expect((await api.get(`/profiles/${userId}`)).status).toBe(200));

  describe('of events', () => {
    type Listed = { id: string; messageId: string }[];
    const list = async (query: string): Promise<string[]> =>
      (await api.get<Listed>(`/events?${query}`)).body.map(({ messageId }) => messageId);

    beforeAll(async () => {
      const track = { type: 'track', event: 'Order Completed', userId: 'ada' };
      expect(await send(shop, { type: 'page', name: 'Home', anonymousId: 'v-1', messageId: 'm-1' })).toBe(
        200,
      );
      expect(await send(shop, { ...track, anonymousId: 'v-1', messageId: 'm-2' })).toBe(200);
      expect(await send(app, { ...track, event: 'App Opened', messageId: 'm-3', properties: { n: 1 } })).toBe(
        200,
      );
      expect(await send(app, { type: 'identify', userId: 'bob', messageId: 'm-2' })).toBe(200);
      await untilProcessed('ada');
      await untilProcessed('bob');
    });

    it.each([
      ['', ['m-2', 'm-3', 'm-2', 'm-1']],
      ['type=page', ['m-1']],
      ['name=App%20Opened', ['m-3']],
      ['userId=ada', ['m-3', 'm-2']],
      ['anonymousId=v-1', ['m-2', 'm-1']],
      ['userId=ada&anonymousId=v-1', ['m-2']],
      ['userId=nobody', []],
      ['messageId=m-2', ['m-2', 'm-2']],
      ['messageId=m-2&userId=bob', ['m-2']],
      ['messageId=m-9', []],
      ['from=2026-01-01&to=2026-01-02', []],
      ['from=2026-01-01&limit=2', ['m-2', 'm-3']],
    ])('lists those that %j asks for, newest first', async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    it('goes on behind a place that no event has, where a search has stopped', async () => {
      expect(await list('cursor=ffffffff-ffff-0000-0000-000000000000&userId=nobody')).toEqual([]);
      expect(await list('cursor=01800000-0000-0000-0000-000000000000')).toEqual([]);
    });

    it('lists those of a source, and of a time', async () => {
      expect(await list(`sourceId=${app.id}`)).toEqual(['m-2', 'm-3']);
      for (const sourceId of [shop.id, shop.id.toUpperCase()])
        expect(await list(`sourceId=${sourceId}&messageId=m-2`)).toEqual(['m-2']);
      const [newest] = (await api.get('/events?limit=1')).body;
      expect(await list(`to=${newest.receivedAt}`)).not.toContain(undefined);
      expect(await list(`from=${newest.receivedAt}`)).toContain('m-2');
      expect((await list(`to=${newest.receivedAt}`)).length).toBeLessThan(4);
    });

    it('leads from page to page', async () => {
      const seen: string[] = [];
      for (let path = '/events?limit=1&from=2026-01-01'; path !== '';) {
        const { body, headers } = await api.get<Listed>(path);
        seen.push(...body.map(({ id }) => id));
        path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(seen).toEqual((await api.get<Listed>('/events')).body.map(({ id }) => id));
    });

    it('shows one as it is stored', async () => {
      const [listed] = (await api.get('/events?messageId=m-3')).body;
      const { body } = await api.get(`/events/${listed.id}`);
      expect(body).toEqual(listed);
      expect(body).toMatchObject({
        sourceId: app.id,
        type: 'track',
        name: 'App Opened',
        userId: 'ada',
        anonymousId: null,
        payload: { type: 'track', event: 'App Opened', properties: { n: 1 }, messageId: 'm-3' },
      });
      for (const id of [UNKNOWN_ID, 'nonsense'])
        expect(await api.get(`/events/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'event_not_found' },
        });
    });

    it('shows numbers with the digits that were sent', async () => {
      const authorization = `Basic ${Buffer.from(`${app.writeKey}:`).toString('base64')}`;
      const properties = '{"order":9007199254740993,"total":1.0,"small":1e-7}';
      const event = `{"type":"track","event":"Paid","userId":"ada","messageId":"m-4","properties":${properties}}`;
      expect(
        (await api.with({ authorization }).post('/v1/batch?defaults=true', `{"batch":[${event}]}`)).status,
      ).toBe(200);
      const found = await eventually(async () => (await api.get<Listed>('/events?messageId=m-4')).body[0]!);
      const headers = { authorization: `Bearer ${await aToken(service)}` };
      for (const path of [`/events/${found.id}`, `/events/${found.id}/trace`, '/events?messageId=m-4'])
        expect(await (await fetch(`${service.url}${path}`, { headers })).text()).toContain(properties);
    });

    it('needs a token, and refuses what it does not know', async () => {
      expect((await api.with({ authorization: '' }).get('/events')).status).toBe(401);
      for (const query of ['type=click', 'from=2026-02-01&to=2026-01-01', 'sourceId=x', 'limit=0', 'other=1'])
        expect((await api.get(`/events?${query}`)).status).toBe(400);
    });
  });

  describe('of events that were not accepted', () => {
    const context = { library: { name: 'analytics.js', version: '2.11.1' } };
    const nameless = { type: 'track', userId: 'eve', anonymousId: 'v-9', messageId: 'r-1', context };

    it('shows them with what is wrong, and erases them with the person', async () => {
      expect(await send(shop, nameless, { type: 'identify', userId: 'eve', messageId: 'r-0' })).toBe(400);
      expect(await send(app, 'no event')).toBe(400);
      const [rejected] = await eventually(async () => {
        const { body } = await api.get(`/rejected-events?sourceId=${shop.id}&messageId=r-1`);
        expect(body).toHaveLength(1);
        return body;
      });
      expect(rejected).toMatchObject({
        sourceId: shop.id,
        problems: [{ code: 'missing_event_name', path: 'event' }],
        messageId: 'r-1',
        type: 'track',
        name: null,
        library: 'analytics.js',
        libraryVersion: '2.11.1',
      });
      expect(JSON.parse(rejected.payload)).toEqual(nameless);
      await eventually(async () =>
        expect((await api.get('/rejected-events?code=not_an_object')).body).toMatchObject([
          { sourceId: app.id, problems: [{ code: 'not_an_object', path: '' }], payload: '"no event"' },
        ]),
      );
      for (const query of ['userId=eve', 'anonymousId=v-9', 'type=track', 'userId=eve&anonymousId=v-9'])
        expect((await api.get(`/rejected-events?${query}`)).body).toEqual([rejected]);
      for (const query of ['userId=v-9', 'name=x', 'to=2026-01-01', 'from=2999-01-01'])
        expect((await api.get(`/rejected-events?${query}`)).body).toEqual([]);
      await untilProcessed('eve');
      await (await anApiClient(service, ['cdp:privacy'])).delete('/profiles/eve');
      expect((await api.get(`/rejected-events?sourceId=${shop.id}`)).body).toEqual([]);
    });

    it('takes the other events of a batch in which one is nested deeper than can be written', async () => {
      const source = (await api.post('/sources', { name: 'Deep' })).body;
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      const event = '"type":"track","event":"E","userId":"deep"';
      const body = `{"batch":[{${event},"messageId":"d-1","properties":{"a":${deep}}},{${event},"messageId":"d-2"},${deep}]}`;
      const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
      const response = await api.with({ authorization }).post('/v1/batch?defaults=true', body);
      expect(response.status).toBe(400);
      await untilProcessed('deep');
      await eventually(async () =>
        expect((await api.get(`/rejected-events?sourceId=${source.id}&messageId=d-1`)).body).toMatchObject([
          { problems: [{ code: 'event_too_deep' }], payload: '' },
        ]),
      );
    });

    it('keeps no write key, numbers as they were sent, and what names a person by a number or as the one before', async () => {
      const source = (await api.post('/sources', { name: 'Single' })).body;
      const body = `{"writeKey":"${source.writeKey}","userId":1.0,"previousId":"was","messageId":"s-1","properties":{"n":1.0}}`;
      expect((await api.with({ authorization: '' }).post('/v1/track', body)).status).toBe(400);
      const rejected = await eventually(async () => {
        const found = (await api.get(`/rejected-events?sourceId=${source.id}`)).body;
        expect(found).toHaveLength(1);
        return found;
      });
      expect(rejected[0].payload).toBe(
        '{"userId":1.0,"previousId":"was","messageId":"s-1","properties":{"n":1.0}}',
      );
      for (const query of ['userId=1', 'userId=was', 'anonymousId=was'])
        expect((await api.get(`/rejected-events?${query}`)).body).toEqual(rejected);
      const privacy = await anApiClient(service, ['cdp:privacy']);
      expect((await privacy.get<string>('/profiles/was/export')).body).toContain('"rejected_event"');
      expect((await privacy.delete('/profiles/was')).status).toBe(200);
      expect((await api.get(`/rejected-events?sourceId=${source.id}`)).body).toEqual([]);
    });

    it('keeps a hundred of a kind and an hour, and counts all', async () => {
      const source = (await api.post('/sources', { name: 'Broken' })).body;
      const batch = Array.from({ length: 90 }, (_, n) => ({ ...nameless, messageId: `b-${n}` }));
      const counted = async (): Promise<object[]> =>
        (await api.get(`/rejected-events/counts?sourceId=${source.id}`)).body;
      for (const count of [90, 180]) {
        expect(await send(source, ...batch)).toBe(400);
        const kind = { sourceId: source.id, code: 'missing_event_name', path: 'event', count };
        await eventually(async () => expect(await counted()).toEqual([kind]));
      }
      // Should the hour have ended in between there are some more.
      await eventually(async () => {
        const { body } = await api.get(`/rejected-events?sourceId=${source.id}&limit=1000`);
        expect(body.length).toBeGreaterThanOrEqual(100);
        expect(body.length).toBeLessThan(180 + 1);
      });
    });

    /** As a process writes them down that rejected them at that time. */
    const keep = (userIds: readonly string[], rejectedMs: number, sourceId: string): Promise<void> =>
      keepRejectedEvents(
        [
          {
            sourceId,
            code: 'missing_event_name',
            path: 'event',
            count: userIds.length,
            events: userIds.map((userId, n) => ({
              id: lowestId(rejectedMs + n),
              problems: [{ code: 'missing_event_name', path: 'event', message: 'Give it.' }],
              subjects: [userSubject(userId)],
              messageId: userId,
              type: 'track',
              name: undefined,
              payload: '{}',
              library: undefined,
              libraryVersion: undefined,
            })),
          },
        ],
        1,
        service.app.get(Database),
      );
    const keptFor = (userId: string): Promise<object[]> =>
      service.app
        .get(Database)
        .query('select from rejected_event where subjects && $1', [[userSubject(userId)]]);

    it('forgets those of an erased person that were still to be written down, but none that come later', async () => {
      const source = (await api.post('/sources', { name: 'Late' })).body;
      expect(await send(source, { type: 'identify', userId: 'erased', messageId: 'e-1' })).toBe(200);
      await untilProcessed('erased');
      const rejectedMs = Date.now();
      const privacy = await anApiClient(service, ['cdp:privacy']);
      expect((await privacy.delete('/profiles/erased')).status).toBe(200);
      await keep(['erased', 'other'], rejectedMs, source.id);
      const shown = async (): Promise<object[]> =>
        (await api.get(`/rejected-events?sourceId=${source.id}`)).body;
      await eventually(async () => expect(await shown()).toMatchObject([{ messageId: 'other' }]));
      expect(await keptFor('erased')).toEqual([]);
      await keep(['erased'], Date.now() + 60_000, source.id);
      await eventually(async () => expect(await shown()).toHaveLength(2));
    });

    it('keeps none of a suppressed person', async () => {
      const source = (await api.post('/sources', { name: 'Mute' })).body;
      const privacy = await anApiClient(service, ['cdp:privacy']);
      expect((await privacy.delete('/profiles/mute?suppress=true')).status).toBe(200);
      await keep(['mute', 'other'], Date.now() + 60_000, source.id);
      await eventually(async () =>
        expect((await api.get(`/rejected-events?sourceId=${source.id}`)).body).toMatchObject([
          { messageId: 'other' },
        ]),
      );
      expect(await keptFor('mute')).toEqual([]);
      expect((await api.get(`/rejected-events/counts?sourceId=${source.id}`)).body).toMatchObject([
        { count: 2 },
      ]);
    });

    it('keeps what has an id that no index holds, and what comes with it', async () => {
      const source = (await api.post('/sources', { name: 'Long' })).body;
      const userId = Array.from({ length: 1_000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 7)).join('');
      expect(
        await send(source, { ...nameless, messageId: 'l-1' }, { type: 'identify', userId, messageId: 'l-2' }),
      ).toBe(400);
      await eventually(async () => {
        const { body } = await api.get(`/rejected-events?sourceId=${source.id}`);
        expect(body.map(({ messageId }: { messageId: string }) => messageId).toSorted()).toEqual([
          'l-1',
          'l-2',
        ]);
      });
    });

    it('cuts what is large, and takes whatever was sent', async () => {
      const source = (await api.post('/sources', { name: 'Odd' })).body;
      const odd = {
        type: 7,
        messageId: 'x\u0000y',
        userId: { a: 1 },
        event: '\ud800',
        a: 'x'.repeat(40_000),
      };
      expect(await send(source, odd)).toBe(400);
      await eventually(async () => {
        const { body } = await api.get(`/rejected-events?sourceId=${source.id}`);
        expect(body).toMatchObject([{ type: '7', messageId: 'x\uFFFDy' }]);
        expect(body[0].payload).toHaveLength(32 * 1024);
      });
    });
  });

  describe('of the way of an event', () => {
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await Receiver.start();
      receiver.behaviour = ({ path }, response) =>
        response.writeHead(path === '/bad' ? 500 : 200).end('said');
    });
    afterAll(() => receiver.stop());

    const destination = async (name: string, members: object = {}, path = ''): Promise<string> => {
      const config = { url: `${receiver.url}${path}` };
      const { status, body } = await api.post('/destinations', { name, type: 'webhook', config, ...members });
      expect(status).toBe(201);
      return body.id;
    };

    it('says which segments the person entered and left since, and none that he was never in', async () => {
      const aSegment = async (name: string, rule: object): Promise<void> => {
        const { body } = await api.post('/segments', { name, rules: [rule] });
        await eventually(async () =>
          expect((await api.get(`/segments/${body.id}`)).body).toMatchObject({ state: 'live' }),
        );
      };
      await aSegment('On trial', { field: 'plan', operator: 'eq', value: 'trial' });
      await aSegment('Paying', { field: 'plan', operator: 'eq', value: 'pro' });
      // Until the week is over, a row says that he is not in it.
      await aSegment('Often', { field: 'event_count', operator: 'gte', value: 9, within: '7d' });
      const identify = { type: 'identify', userId: 'lea' };
      const segmentsOf = async (messageId: string): Promise<string[]> => {
        const { body } = await api.get(`/events/trace?messageId=${messageId}`);
        return body[0].segments
          .filter(({ segmentName }: { segmentName: string }) => segmentName !== 'Everybody')
          .map(({ change, segmentName }: Record<string, string>) => `${change} ${segmentName}`);
      };
      await send(shop, { ...identify, messageId: 'lea-1', traits: { plan: 'trial' } });
      await eventually(async () => expect(await segmentsOf('lea-1')).toEqual(['entered On trial']));
      await send(shop, { ...identify, messageId: 'lea-2', traits: { plan: 'pro' } });
      await eventually(async () =>
        expect((await segmentsOf('lea-2')).toSorted()).toEqual(['entered Paying', 'left On trial']),
      );
      expect((await segmentsOf('lea-1')).toSorted()).toEqual(['entered Paying', 'left On trial']);
      await send(shop, { ...identify, messageId: 'lea-3', traits: { plan: 'none' } });
      await eventually(async () => expect(await segmentsOf('lea-3')).toEqual(['left Paying']));
      // A month later nobody remembers, and nobody is told again.
      const database = service.app.get(Database);
      await database.query(
        `update segment_member set due_at = due_at - interval '31 days' where subject = 'u:lea' and not member`,
      );
      await eventually(async () => expect(await segmentsOf('lea-1')).toEqual([]));
    });

    it('says what became of it at every destination, and which part of which filter said no', async () => {
      const rules = [{ field: 'event_count', operator: 'gte', value: 1 }];
      const { body: segment } = await api.post('/segments', { name: 'Everybody', rules });
      const { body: nobody } = await api.post('/segments', {
        name: 'Nobody',
        rules: [{ field: 'event_count', operator: 'gte', value: 1_000 }],
      });
      const conditions = [
        { field: 'properties.total', operator: 'gte', value: 10 },
        { field: 'properties.currency', operator: 'eq', value: 'EUR' },
      ];
      await destination('Good');
      await destination('Bad', {}, '/bad');
      await api.post(`/destinations/${await destination('Paused')}/pause`);
      await destination('Other source', { sources: [app.id] });
      await destination('Other names', { filter: { types: ['page'], events: ['Order *'] } });
      await destination('Conditions', { filter: { conditions } });
      await destination('Any condition', { filter: { conditions, match: 'any' } });
      await destination('Segment', { filter: { segments: [nobody.id] } });
      await eventually(async () =>
        expect((await api.get(`/segments/${segment.id}`)).body).toMatchObject({ state: 'live' }),
      );
      const sent = { type: 'track', event: 'Traced', userId: 'tracy', messageId: 't-1' };
      expect(await send(shop, { ...sent, properties: { total: 5, currency: 'EUR' } })).toBe(200);
      expect(await send(shop, { ...sent, properties: { again: true } })).toBe(200);
      const [trace] = await eventually(async () => {
        const { body } = await api.get('/events/trace?messageId=t-1');
        expect(body).toHaveLength(1);
        const outcomes = body[0].destinations.map(({ outcome }: { outcome: string }) => outcome);
        expect(outcomes.filter((outcome: string) => outcome === 'pending')).toHaveLength(1);
        expect(outcomes).toContain('dead');
        return body;
      });
      expect(trace).toMatchObject({
        outcome: 'accepted',
        event: { sourceId: shop.id, messageId: 't-1', payload: { properties: { total: 5 } } },
        rejected: null,
        processing: 'processed',
        failedBecause: null,
        profile: { userId: 'tracy', anonymousId: null, merged: false },
        segments: [{ segmentId: segment.id, segmentName: 'Everybody', change: 'entered' }],
      });
      expect(trace.waitedMs).toBeGreaterThanOrEqual(0);
      const told = Object.fromEntries(
        trace.destinations.map((one: { destinationName: string }) => [one.destinationName, one]),
      );
      const notRouted = (...because: object[]): object => ({
        outcome: 'not_routed',
        delivery: null,
        because,
      });
      expect(told).toMatchObject({
        Good: { outcome: 'delivered', delivery: { attempts: 1, tries: [{ status: 200, answer: 'said' }] } },
        Bad: { outcome: 'dead', delivery: { reason: 'http_5xx', tries: [{ status: 500 }, { status: 500 }] } },
        Paused: { outcome: 'pending', delivery: { waitsFor: 'destination_paused', tries: [] } },
        'Any condition': { outcome: 'delivered' },
        'Other source': notRouted({ part: 'sources' }),
        'Other names': notRouted({ part: 'types' }, { part: 'events' }),
        Conditions: notRouted({
          part: 'conditions',
          conditions: [{ field: 'properties.total', operator: 'gte', value: 10, seen: 5 }],
        }),
        Segment: notRouted({ part: 'segments' }),
      });
      const younger = await destination('Younger');
      const { body: later } = await api.get(`/events/${trace.event.id}/trace`);
      expect(later.destinations).toContainEqual({
        destinationId: younger,
        destinationName: 'Younger',
        ...notRouted({ part: 'destination_is_younger' }),
      });
      const choosy = await destination('Younger and choosy', { filter: { events: ['Never'] } });
      const { body: last } = await api.get(`/events/${trace.event.id}/trace`);
      expect(last.destinations).toContainEqual({
        destinationId: choosy,
        destinationName: 'Younger and choosy',
        ...notRouted({ part: 'destination_is_younger' }, { part: 'events' }),
      });
    });

    it('says why one was rejected, and whose profile has that of a visitor who became a user', async () => {
      expect(await send(shop, { type: 'track', userId: 'tom', messageId: 't-2' })).toBe(400);
      await eventually(async () =>
        expect((await api.get(`/events/trace?messageId=t-2&sourceId=${shop.id}`)).body).toMatchObject([
          { outcome: 'rejected', event: null, rejected: { problems: [{ code: 'missing_event_name' }] } },
        ]),
      );
      const authorization = `Basic ${Buffer.from(`${shop.writeKey}:`).toString('base64')}`;
      const alone = await api.with({ authorization }).post('/v1/track', { event: 'Nobody', userId: null });
      const [{ messageId, message }] = alone.body.rejected;
      expect(alone.body.message).toBe(
        `1 of 1 event is not valid. No event was stored. First: userId: ${message}`,
      );
      await eventually(async () =>
        expect((await api.get(`/events/trace?messageId=${messageId}`)).body).toMatchObject([
          { outcome: 'rejected', rejected: { messageId, type: 'track', name: 'Nobody' } },
        ]),
      );
      expect(await send(shop, { type: 'page', name: 'Home', anonymousId: 'v-2', messageId: 't-3' })).toBe(
        200,
      );
      expect(
        await send(shop, { type: 'identify', userId: 'tim', anonymousId: 'v-2', messageId: 't-4' }),
      ).toBe(200);
      await untilProcessed('tim');
      const { body } = await api.get('/events/trace?messageId=t-3');
      expect(body).toMatchObject([{ profile: { userId: 'tim', merged: true } }]);
      expect((await api.get('/events/trace?messageId=t-9')).body).toEqual([]);
      expect((await api.get(`/events/${UNKNOWN_ID}/trace`)).status).toBe(404);
    });
  });
});
