import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../../src/platform/config/config';
import { CdpQueue } from '../../src/platform/queues/cdp-queue';
import { CdpWorker } from '../../src/platform/queues/cdp-worker';
import { openQueueBackend, type QueueBackend } from '../../src/platform/queues/queue-backend';
import { redisPrefix } from '../../src/platform/queues/queues.module';
import { QUEUE_NAMES } from '../../src/platform/queues/job';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import {
  hasRedisServer,
  startRedisServer,
  startRedisCluster,
  startRedisSentinels,
} from '../support/redis-servers';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

interface Rig {
  readonly backend: QueueBackend;
  readonly queues: readonly CdpQueue[];
  readonly workers: readonly CdpWorker[];
  readonly done: string[];
  close(): Promise<void>;
}

/** One queue and one worker of each name, as a process with all roles has them. */
function aRig(variables: Record<string, string>): Rig {
  const backend = openQueueBackend(
    Config.from({ CDP_DATABASE_URL: 'postgres://unused', CDP_SHUTDOWN_GRACE_SECONDS: '5', ...variables }),
  );
  const options = (name: (typeof QUEUE_NAMES)[number]) => ({
    connection: backend.connection,
    prefix: redisPrefix(name),
  });
  const done: string[] = [];
  const queues = QUEUE_NAMES.map((name) => new CdpQueue(name, options(name)));
  const workers = QUEUE_NAMES.map(
    (name) =>
      new CdpWorker(
        name,
        async (job) => {
          done.push(job.id!);
        },
        options(name),
      ),
  );
  return {
    backend,
    queues,
    workers,
    done,
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(queues.map((queue) => queue.close()));
      await backend.close();
    },
  };
}

async function addToEach(rig: Rig): Promise<string[]> {
  const ids = await Promise.all(
    rig.queues.map(async (queue) => (await queue.add('job', {}, { jobId: `job-${randomUUID()}` })).id!),
  );
  return ids.sort();
}

// Outages are made on purpose here.
beforeAll(() => Logger.overrideLogger(false));

describe('the queue on PostgreSQL', () => {
  let database: TestDatabase;
  let rig: Rig;

  beforeAll(async () => {
    database = await createTestDatabase();
    rig = aRig({ CDP_DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await rig.close();
    await database.drop();
  });

  it('runs a job of every queue', async () => {
    const ids = await addToEach(rig);
    await eventually(() => expect([...rig.done].sort()).toEqual(ids));
    await rig.backend.ping();
  });

  it('is looked at by its workers at least every minute, though nothing was heard of it', async () => {
    const worker = new CdpWorker('events', null, { connection: rig.backend.connection, autorun: false });
    await worker.waitUntilReady();
    expect(worker.maximumBlockTimeout).toBeLessThanOrEqual(60);
    await worker.close();
  });

  it('lets a worker go whose job does not end, after telling the job to stop', async () => {
    let told: string | undefined;
    let letGo: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (letGo = resolve));
    const backend = openQueueBackend(
      Config.from({ CDP_DATABASE_URL: database.url, CDP_SHUTDOWN_GRACE_SECONDS: '1' }),
    );
    const queue = new CdpQueue('stuck', { connection: backend.connection });
    const worker = new CdpWorker(
      'stuck',
      async (_job, _token, signal) => {
        signal?.addEventListener('abort', () => (told = String(signal.reason)));
        await stuck;
      },
      { connection: backend.connection },
    );
    await queue.add('job', {});
    await eventually(async () => expect(await queue.getActiveCount()).toBe(1));
    await worker.close();
    expect(told).toMatch(/shutting down/);
    letGo();
    await queue.close();
    await backend.close();
  });
});

describe('a Redis that was never there', () => {
  let rig: Rig;

  beforeEach(async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    rig = aRig({ CDP_REDIS_URL: url, CDP_SHUTDOWN_GRACE_SECONDS: '600' });
  });

  it('is warned of once, not by each queue and worker', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    await Promise.all([...rig.queues, ...rig.workers].map((one) => once(one, 'error')));
    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(/^Redis cannot be used .*CDP_REDIS_URL/),
    ]);
    warn.mockRestore();
    await rig.close();
  });

  it('keeps no worker from closing', async () => {
    await Promise.all(rig.workers.map((worker) => once(worker, 'error')));
    await expect(rig.close()).resolves.toBeUndefined();
  });
});

const withRedisServer = hasRedisServer ? describe : describe.skip;

withRedisServer('the queue on a Redis Cluster', () => {
  it('runs a job of every queue, with its keys spread over the nodes', async () => {
    const cluster = await startRedisCluster();
    const rig = aRig({ CDP_REDIS_URL: cluster.url });
    try {
      const ids = await addToEach(rig);
      await eventually(() => expect([...rig.done].sort()).toEqual(ids));
      await rig.backend.ping();
      const sizes = await Promise.all(cluster.nodes.map(({ port }) => keysOf(port)));
      expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(1);
    } finally {
      await rig.close();
      await cluster.stop();
    }
  });
});

withRedisServer('the queue behind Redis Sentinel', () => {
  it('goes on with the new master after a failover', async () => {
    const sentinels = await startRedisSentinels();
    const rig = aRig({ CDP_REDIS_URL: sentinels.url });
    try {
      const before = await addToEach(rig);
      await eventually(() => expect([...rig.done].sort()).toEqual(before));
      await sentinels.killMaster();
      rig.done.length = 0;
      const after = await eventually(() => addToEach(rig));
      await eventually(() => expect(rig.done).toEqual(expect.arrayContaining(after)));
    } finally {
      await rig.close();
      await sentinels.stop();
    }
  });
});

async function keysOf(port: number): Promise<number> {
  const client = new Redis(port);
  try {
    return await client.dbsize();
  } finally {
    client.disconnect();
  }
}

withRedisServer('connections to Redis', () => {
  it('are two for a process and one more for each worker', async () => {
    const server = await startRedisServer();
    const admin = new Redis(server.port);
    const count = async (): Promise<number> =>
      ((await admin.client('LIST')) as string).trim().split('\n').length;
    const before = await count();
    const rig = aRig({ CDP_REDIS_URL: `redis://127.0.0.1:${server.port}` });
    try {
      const ids = await addToEach(rig);
      await eventually(() => expect(rig.done).toEqual(expect.arrayContaining(ids)));
      expect((await count()) - before).toBe(2 + QUEUE_NAMES.length);
    } finally {
      await rig.close();
      admin.disconnect();
      await server.kill();
    }
  });
});
