import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

describe('GET /stats', () => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startTestService();
    api = await anApiClient(service);
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  const aSource = async (name: string): Promise<{ id: string; writeKey: string }> =>
    (await api.post('/sources', { name })).body;
  const send = (
    writeKey: string,
    path: string,
    messageIds: readonly string[],
  ): Promise<{ status: number }> => {
    const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    const batch = messageIds.map((messageId) => ({ type: 'track', event: 'Seen', userId: 'ada', messageId }));
    const invalid = { type: 'track', userId: 'ada', messageId: 'x' };
    return api.with({ authorization }).post(`/v1/batch?defaults=true${path}`, { batch: [...batch, invalid] });
  };

  it('counts what came in and went out, as a whole, by source, and by minute or quarter of an hour', async () => {
    const [shop, app] = [await aSource('Shop'), await aSource('App')];
    await send(shop.writeKey, '', ['m-1', 'm-2', 'm-3']);
    await send(shop.writeKey, '', ['m-3']);
    await send(app.writeKey, '&strict=true', ['m-4']);
    const { body: hour } = await eventually(async () => {
      const answer = await api.get('/stats');
      expect(answer.body).toMatchObject({
        span: 'hour',
        events: { accepted: 3, duplicate: 1, rejected: 3, inboxRows: 0 },
        deliveries: { delivered: 3, failed: 0, dead: 0, latency: { p50Ms: expect.any(Number) as number } },
      });
      return answer;
    });
    expect(hour.sources).toEqual(
      expect.arrayContaining([
        { sourceId: shop.id, accepted: 3, duplicate: 1, rejected: 2, quarantined: 0 },
        { sourceId: app.id, accepted: 0, duplicate: 0, rejected: 1, quarantined: 0 },
      ]),
    );
    const { body: day } = await api.get('/stats?span=day');
    for (const [{ steps }, length] of [
      [hour, 60],
      [day, 96],
    ]) {
      expect(steps).toHaveLength(length);
      const last = steps.slice(-2);
      const sum = (key: string): number =>
        last.reduce((total: number, step: Record<string, number>) => total + (step[key] ?? 0), 0);
      expect([sum('accepted'), sum('duplicate'), sum('rejected'), sum('delivered')]).toEqual([3, 1, 3, 3]);
    }
  });

  it('says which spans there are', async () => {
    const { status, body } = await api.get('/stats?span=year');
    expect([status, body.errors[0].path]).toEqual([400, 'span']);
  });
});

describe('what waits in the inbox', () => {
  it('is in the statistics', async () => {
    const service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
    try {
      const api = await anApiClient(service);
      const { body: source } = await api.post('/sources', { name: 'Shop' });
      const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
      const event = { event: 'Seen', userId: 'ada' };
      expect((await api.with({ authorization }).post('/v1/track', event)).status).toBe(200);
      const { body } = await api.get('/stats');
      expect(body.events).toMatchObject({ inboxRows: 1, inboxOldestSeconds: expect.any(Number) as number });
      await eventually(async () =>
        expect((await api.get('/stats')).body.events.inboxOldestSeconds).toBeGreaterThan(0),
      );
    } finally {
      await service.close();
    }
  });
});
