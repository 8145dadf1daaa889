import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { hasRedisServer, type RedisServer, startRedisServer } from '../support/redis-servers';
import { sendTracks } from '../support/send-events';
import { startTestService, type TestService } from '../support/test-service';

jest.setTimeout(120_000);

const describeWithRedis = hasRedisServer ? describe : describe.skip;

describeWithRedis('an outage of Redis', () => {
  let redis: RedisServer;
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    redis = await startRedisServer();
    service = await startTestService({ env: { CDP_REDIS_URL: `redis://127.0.0.1:${redis.port}` } });
    receiver = await Receiver.start();
    api = await anApiClient(service);
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
    await redis.kill();
  });

  it('turns no event away, and all are delivered when Redis is back, empty', async () => {
    const { writeKey } = (await api.post('/sources', { name: 'Shop', description: '' })).body;
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
    const target = { url: service.url, writeKey };
    const send = async (ids: readonly string[]): Promise<void> => {
      expect(await sendTracks(target, ids)).toBe(200);
    };

    await send(['before-1', 'before-2']);
    await Promise.all([send(['while-it-dies-1']), redis.kill()]);
    await send(['during-1', 'during-2', 'during-3']);
    const ready = await fetch(`${service.url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ checks: { database: 'up', queue: 'down' } });
    redis = await startRedisServer(redis.port);
    await send(['after-1']);

    await eventually(() => {
      const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId));
      expect(arrived).toEqual(
        new Set(['before-1', 'before-2', 'while-it-dies-1', 'during-1', 'during-2', 'during-3', 'after-1']),
      );
    }, 90_000);
  });
});
