import { Redis } from 'ioredis';
import { DeliveryProcessor } from '../../src/delivery/delivery.processor';
import { EventProcessor } from '../../src/ingestion/event.processor';
import { InboxSweeper } from '../../src/ingestion/processing/inbox-sweeper';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { hasRedisServer, type RedisServer, startRedisServer } from '../support/redis-servers';
import { type EventsTarget, sendTracks } from '../support/send-events';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { startTestService, type TestService } from '../support/test-service';

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

describeWithRedis('a Redis that is there and does not work', () => {
  let redis: RedisServer;
  let proxy: TcpProxy;
  /** Processes and delivers what the other one has stored: what it has written itself would need no job. */
  let service: TestService;
  let intake: TestService;
  let receiver: Receiver;
  let target: EventsTarget;
  let sent = 0;

  beforeAll(async () => {
    redis = await startRedisServer();
    proxy = await startTcpProxy('127.0.0.1', redis.port);
    const env = {
      CDP_REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      CDP_LOG_LEVEL: 'silent',
      CDP_DELIVERY_GRACE_MS: '8000',
    };
    service = await startTestService({ env: { ...env, CDP_ROLES: 'management,worker' } });
    const { databaseUrl } = service;
    intake = await startTestService({ databaseUrl, env: { ...env, CDP_ROLES: 'events' } });
    receiver = await Receiver.start();
    const api = await anApiClient(service);
    const { writeKey } = (await api.post('/sources', { name: 'Shop' })).body;
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
    target = { url: intake.url, writeKey };
  });
  afterAll(async () => {
    await intake.close();
    await service.close();
    await receiver.stop();
    await proxy.close();
    await redis.kill();
  });

  const processor = (): EventProcessor => service.app.get(EventProcessor, { strict: false });

  async function accept(): Promise<string[]> {
    const ids = Array.from({ length: 3 }, () => `event-${(sent += 1)}`);
    expect(await sendTracks(target, ids)).toBe(200);
    return ids;
  }

  /** Sends events and waits until they have arrived. */
  async function send(): Promise<void> {
    await untilArrived(await accept());
  }

  async function untilArrived(ids: readonly string[]): Promise<void> {
    await eventually(() => {
      const arrived = receiver.received.map(({ body }) => JSON.parse(body).messageId);
      expect(arrived).toEqual(expect.arrayContaining(ids));
    }, 30_000);
  }

  /** Sends until events come through the queue again; answers how many jobs there were. */
  async function untilJobsRun(): Promise<number> {
    const { begun } = processor().jobs;
    await eventually(async () => {
      await send();
      expect(processor().jobs.begun).toBeGreaterThan(begun);
    }, 60_000);
    return processor().jobs.begun - begun;
  }

  it('holds up no event while it is silent, and is used again when it answers new connections', async () => {
    await send();
    proxy.silence();
    await send();
    // The worker has another connection by now, which was taken and is never greeted.
    const { blockingClient } = processor().worker.backend;
    await eventually(async () => expect((await blockingClient)?.status).toBe('connect'), 20_000);
    proxy.forget();
    expect(await untilJobsRun()).toBeGreaterThan(0);
  });

  it('is left when it was demoted and its address leads to another one', async () => {
    const next = await startRedisServer();
    const admin = new Redis(redis.port);
    try {
      await admin.call('replicaof', '127.0.0.1', next.port);
      proxy.lead(next.port);
      await send();
      expect(await untilJobsRun()).toBeGreaterThan(0);
    } finally {
      admin.disconnect();
      await redis.kill();
      redis = next;
    }
  });

  it('holds up no delivery when it takes jobs and hands none out', async () => {
    const deliveries = service.app.get(DeliveryProcessor, { strict: false });
    const queue = service.app.get(JobDispatcher).queue('deliveries');
    /** Sends events whose deliveries have a job, as they do while somebody has stopped the queue. */
    const sendWithJobs = async (): Promise<void> => {
      await queue.pause();
      const ids: string[] = [];
      await eventually(async () => {
        ids.push(...(await accept()));
        expect((await queue.getJobs(['wait'])).some(({ data }) => data.done !== true)).toBe(true);
      });
      await queue.resume();
      await untilArrived(ids);
    };
    await untilJobsRun();
    await deliveries.worker.pause(true);
    await sendWithJobs(); // The worker was about to take one job more.
    const { begun } = deliveries.jobs;
    await sendWithJobs();
    expect(deliveries.jobs.begun).toBe(begun);

    void deliveries.worker.resume();
    await eventually(async () => {
      await sendWithJobs();
      expect(deliveries.jobs.begun).toBeGreaterThan(begun);
    }, 30_000);
  });

  it('holds up no event when it takes jobs and hands none out, unless somebody has stopped the queue', async () => {
    await processor().worker.pause(true);
    await send(); // The worker was about to take one job more.
    const { begun } = processor().jobs;
    await send();
    expect(processor().jobs.begun).toBe(begun);

    const queue = service.app.get(JobDispatcher).queue('events');
    await queue.pause();
    expect(await sendTracks(target, ['stopped'])).toBe(200);
    const sweeper = service.app.get(InboxSweeper, { strict: false });
    for (let sweep = 0; sweep < 3; sweep += 1) expect(await sweeper.sweep(0)).toBe(1);
    await queue.resume();
    void processor().worker.resume();
    await untilJobsRun();
  });
});
