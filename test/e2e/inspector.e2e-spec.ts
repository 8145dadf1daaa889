import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

const UNKNOWN_ID = '01930000-0000-7000-8000-000000000000';

describe('the inspector', () => {
  let service: TestService;
  let api: ApiClient;
  let shop: { id: string; writeKey: string };
  let app: { id: string; writeKey: string };

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    shop = (await api.post('/sources', { name: 'Shop' })).body;
    app = (await api.post('/sources', { name: 'App' })).body;
  });
  afterAll(() => service.close());

  const send = async (source: { writeKey: string }, ...batch: object[]): Promise<number> => {
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

    it('lists those of a source, and of a time', async () => {
      expect(await list(`sourceId=${app.id}`)).toEqual(['m-2', 'm-3']);
      expect(await list(`sourceId=${shop.id}&messageId=m-2`)).toEqual(['m-2']);
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

    it('needs a token, and refuses what it does not know', async () => {
      expect((await api.with({ authorization: '' }).get('/events')).status).toBe(401);
      for (const query of ['type=click', 'from=2026-02-01&to=2026-01-01', 'sourceId=x', 'limit=0', 'other=1'])
        expect((await api.get(`/events?${query}`)).status).toBe(400);
    });
  });
});
