import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { aSource } from '../support/a-source';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { RoundRobinProxy } from '../support/round-robin-proxy';
import { testRedisUrl } from '../support/test-redis';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { aWebhook } from '../support/a-webhook';

const CONNECTIONS = 8;
const BATCH = 5;
const JWT_SECRET = 'test-secret-of-some-length';

/** Clients that keep their connections open and send one batch after the other. */
class Load {
  readonly accepted: string[] = [];
  readonly errors: string[] = [];
  private stopped = false;
  private readonly pool: Pool;
  private readonly running: Promise<void>[];

  constructor(
    url: string,
    private readonly writeKey: string,
  ) {
    this.pool = new Pool(url, { connections: CONNECTIONS });
    this.running = Array.from({ length: CONNECTIONS }, () => this.run());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
    await this.pool.close();
  }

  private async run(): Promise<void> {
    while (!this.stopped) await this.send().catch((error: unknown) => void this.errors.push(String(error)));
  }

  private async send(): Promise<void> {
    const messageIds = Array.from({ length: BATCH }, () => randomUUID());
    const { statusCode, body } = await this.pool.request({
      path: '/v1/batch',
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${this.writeKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ batch: messageIds.map(anEvent) }),
    });
    const answer = await body.text();
    if (statusCode === 200) this.accepted.push(...messageIds);
    else this.errors.push(`${statusCode} ${answer}`);
  }
}

function anEvent(messageId: string, index: number): object {
  return {
    type: 'track',
    event: 'Seen',
    userId: `user-${index}`,
    messageId,
    timestamp: new Date().toISOString(),
  };
}

describe('a rolling restart under load', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let proxy: RoundRobinProxy;
  let writeKey: string;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    receiver = await Receiver.start();
    proxy = await RoundRobinProxy.start();
    writeKey = (await aSource(database.url)).writeKey;
  }, 60_000);
  afterAll(async () => {
    await proxy.stop();
    await receiver.stop();
    await database.drop();
  });

  function start(): Promise<BuiltService> {
    const redis = testRedisUrl();
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_DATABASE_URL: database.url,
      ...(redis === undefined ? {} : { CDP_REDIS_URL: redis }),
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_SHUTDOWN_DRAIN_SECONDS: '1',
    });
  }

  it('fails no request and loses no event', async () => {
    let services = [await start(), await start()];
    await aWebhook(services[0]!.url, receiver.url, JWT_SECRET);
    proxy.use(services.map(({ url }) => url));
    await eventually(() => expect(proxy.readyBackends).toHaveLength(2));
    const load = new Load(proxy.url, writeKey);
    try {
      await eventually(() => expect(load.accepted.length).toBeGreaterThan(100));
      for (const old of services) {
        expect(await old.stop()).toBe(0);
        const fresh = await start();
        services = [...services.filter((service) => service !== old), fresh];
        proxy.use(services.map(({ url }) => url));
        await eventually(() => expect(proxy.readyBackends).toHaveLength(2));
        const before = load.accepted.length;
        await eventually(() => expect(load.accepted.length).toBeGreaterThan(before + 100));
      }
    } finally {
      await load.stop();
    }
    expect(load.errors).toEqual([]);
    try {
      await eventually(() => {
        const delivered = new Set(
          receiver.received.map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId),
        );
        expect(load.accepted.filter((messageId) => !delivered.has(messageId))).toEqual([]);
      }, 60_000);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  }, 180_000);
});
