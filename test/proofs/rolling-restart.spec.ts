import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { RoundRobinProxy } from '../support/round-robin-proxy';
import { testRedisUrl } from '../support/test-redis';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { aWebhook } from '../support/a-webhook';

/** What a machine that is busy starting processes can still process beside. */
const CONNECTIONS = 2;
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

/** Somebody who looks at the Management API all the time. */
class Reading {
  readonly errors: string[] = [];
  private readonly stopped = new AbortController();
  private readonly running: Promise<void>;

  constructor(url: string, token: string) {
    this.running = this.run(`${url}/destinations`, { authorization: `Bearer ${token}` });
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(url: string, headers: Record<string, string>): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        const answer = await fetch(url, { headers });
        await answer.arrayBuffer();
        if (answer.status !== 200) this.errors.push(String(answer.status));
      } catch (error) {
        this.errors.push(String(error));
      }
    }
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

/** Which roles processes have: the smallest division in which every role is there twice. */
const DIVISION = ['events', 'management,worker'] as const;
type Roles = (typeof DIVISION)[number];

interface RunningProcess {
  readonly roles: Roles;
  readonly service: BuiltService;
}

describe('a rolling restart under load', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let writeKey: string;
  let processes: RunningProcess[] = [];
  const proxies = new Map<Roles, RoundRobinProxy>();

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    receiver = await Receiver.start();
    for (const roles of DIVISION) proxies.set(roles, await RoundRobinProxy.start());
    writeKey = (await aSource(database.url)).writeKey;
  });
  afterAll(async () => {
    await Promise.all(processes.map(({ service }) => service.stop()));
    for (const proxy of proxies.values()) await proxy.stop();
    await receiver.stop();
    await database.drop();
  });

  async function start(roles: Roles): Promise<RunningProcess> {
    const redis = testRedisUrl();
    const service = await startBuiltService({
      NODE_ENV: 'test',
      CDP_ROLES: roles,
      CDP_DATABASE_URL: database.url,
      ...(redis === undefined ? {} : { CDP_REDIS_URL: redis }),
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_SHUTDOWN_DRAIN_SECONDS: '1',
      CDP_MANAGEMENT_REQUESTS_PER_MINUTE: '0',
    });
    return { roles, service };
  }

  /** Has the load balancer of some roles know their processes, and waits until both are in use. */
  async function balance(roles: Roles): Promise<RoundRobinProxy> {
    const proxy = proxies.get(roles);
    if (proxy === undefined) throw new Error(`No proxy for ${roles}`);
    const own = processes.filter((process) => process.roles === roles);
    proxy.use(own.map(({ service }) => service.url));
    await eventually(() => expect(proxy.readyBackends).toHaveLength(2));
    return proxy;
  }

  /** What PostgreSQL knows of that is not delivered yet. */
  async function underWay(): Promise<unknown> {
    const pool = openPool({ connectionString: database.url, max: 1 });
    try {
      const { rows } = await pool.query(`
        select (select count(*)::int from inbox) as inbox,
          (select count(*)::int from delivery where state = 'pending') as pending`);
      return rows[0];
    } finally {
      await pool.end();
    }
  }

  it('of every role fails no request and loses no event', async () => {
    processes = await Promise.all([...DIVISION, ...DIVISION].map(start));
    const events = await balance('events');
    const management = await balance('management,worker');
    await aWebhook(management.url, receiver.url, JWT_SECRET);
    const load = new Load(events.url, writeKey);
    const reading = new Reading(management.url, await aToken({ jwtSecret: JWT_SECRET }));
    try {
      await eventually(() => expect(load.accepted.length).toBeGreaterThan(100));
      for (const old of processes) {
        expect(await old.service.stop()).toBe(0);
        const fresh = await start(old.roles);
        processes = [...processes.filter((process) => process !== old), fresh];
        await balance(old.roles);
        const before = load.accepted.length;
        await eventually(() => expect(load.accepted.length).toBeGreaterThan(before + 100));
      }
    } finally {
      await Promise.all([load.stop(), reading.stop()]);
    }
    expect(load.errors).toEqual([]);
    expect(reading.errors).toEqual([]);
    await eventually(async () => expect(await underWay()).toEqual({ inbox: 0, pending: 0 }), 90_000);
    const delivered = new Set(
      receiver.received.map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId),
    );
    expect(load.accepted.filter((messageId) => !delivered.has(messageId))).toEqual([]);
  });
});
