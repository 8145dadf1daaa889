import { setTimeout as delay } from 'node:timers/promises';
import {
  type BackendFactory,
  createPostgresBackend,
  type QueueOptions,
  setDefaultBackendFactory,
} from 'bullmq';
import { Pool } from 'pg';
import type { Config } from '../config/config';
import { openPool } from '../database/connections/open-pool';
import { DEFAULT_SCHEMA, queueSchemaOf, schemaOf, withSetting } from '../database/connections/schema';
import { MAX_BLOCK_SECONDS, openRedisClient, type RedisClient } from './redis-clients';
import { RedisOutage } from './redis-outage';

/** What BullMQ connects to, and how to let go of it after all queues and workers are closed. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  /**
   * What a queue of this service is called in the backend. Services that share one must not have queues of the same
   * name: on PostgreSQL that is what BullMQ locks, and what it notifies workers with, whatever the schema.
   */
  nameOf(queue: string): string;
  /** Shared by all queues of the process. Fails at once while the backend is away. */
  readonly connection: QueueOptions['connection'];
  /** All workers of the process share it. Each has one more to block on. Waits while the backend is away. */
  readonly workerConnection: QueueOptions['connection'];
  /**
   * How long a worker may still take to close before its jobs are left to another one: workers close one after the
   * other, and all of them together have a part of the grace period.
   */
  workerCloseMsLeft(): number;
  /** A worker that hears nothing of new jobs looks for some after this time. */
  readonly maxBlockSeconds: number;
  /** What says for all queues and workers that Redis is away. */
  readonly outage?: RedisOutage;
  /** Rejects when the backend does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Each worker keeps one connection for LISTEN; the rest is shared by queries of queues and workers. */
const POSTGRES_POOL_SIZE = 10;

/**
 * BullMQ would rely on notifications alone for an hour. Each look of each of five workers is four statements; and what
 * is late, because a notification was lost, the sweepers of inbox and ledger see before.
 */
const POSTGRES_BLOCK_SECONDS = 60;

/** Closing a pool waits for its clients, but not longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The share of the grace period that workers get; the rest is for closing connections. */
const WORKER_SHARE_OF_GRACE = 0.8;
/** The last ones have as long, too: jobs that are at their end need no more. */
const MIN_WORKER_CLOSE_MS = 1_000;

const backends = new WeakMap<object, QueueBackend>();

/** The backend that a queue's connection belongs to: how a worker, which Nest gives only that, finds its own. */
export function backendOf(connection: unknown): QueueBackend | undefined {
  return typeof connection === 'object' && connection !== null ? backends.get(connection) : undefined;
}

/**
 * Chooses BullMQ's backend: Redis when `CDP_REDIS_URL` is set, else PostgreSQL. BullMQ knows one backend per
 * process, so this must run before Nest builds any queue.
 */
export function openQueueBackend(config: Config): QueueBackend {
  const redisUrl = config.queue.redisUrl;
  const { schema } = config.database;
  const connected =
    redisUrl === undefined
      ? openPostgresBackend(withSetting(config.directDatabaseUrl, 'search_path', queueSchemaOf(schema)))
      : openRedisBackend(redisUrl);
  const nameOf = (queue: string): string => (schema === DEFAULT_SCHEMA ? queue : `${schema}.${queue}`);
  const workerCloseMsLeft = countDown(config.shutdown.graceMs * WORKER_SHARE_OF_GRACE);
  const backend: QueueBackend = { ...connected, nameOf, workerCloseMsLeft };
  backends.set(backend.connection, backend);
  return backend;
}

type Connected = Omit<QueueBackend, 'nameOf' | 'workerCloseMsLeft'>;

/** What is left of so long since the first call. */
function countDown(ms: number): () => number {
  let startedAt: number | undefined;
  return () => {
    startedAt ??= performance.now();
    return Math.max(startedAt + ms - performance.now(), Math.min(ms, MIN_WORKER_CLOSE_MS));
  };
}

function openPostgresBackend(databaseUrl: string): Connected {
  setDefaultBackendFactory(createBackendInSchema);
  const pool = openPool({
    connectionString: databaseUrl,
    max: POSTGRES_POOL_SIZE,
    application_name: 'cdp-service-queue',
  });
  // Every queue and worker listens for its errors.
  pool.setMaxListeners(0);
  return {
    kind: 'postgres',
    maxBlockSeconds: POSTGRES_BLOCK_SECONDS,
    // BullMQ takes a ready pool here and never closes it.
    connection: pool,
    workerConnection: pool,
    ping: async () => void (await pool.query('select')),
    // A worker that was left with a running job may hold a client for ever.
    close: () => {
      // Every queue listens for errors of the pool. What PostgreSQL says to a connection that is closing is none.
      pool.removeAllListeners('error').on('error', () => undefined);
      return Promise.race([pool.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** BullMQ takes the schema of a ready pool for its default one, and would look for its version there. */
const createBackendInSchema: BackendFactory = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options as never, factoryOptions);
  const { connection } = options;
  if (connection instanceof Pool) {
    const schema = schemaOf(connection.options.connectionString ?? '');
    for (const holder of [backend, (backend as unknown as HasConnection).connection])
      Object.assign(holder, { schema });
  }
  return backend;
};

/** What BullMQ does not tell of in its types. */
interface HasConnection {
  readonly connection: object;
}

function openRedisBackend(redisUrl: string): Connected {
  setDefaultBackendFactory();
  const producer = openRedisClient(redisUrl, 'fail-fast');
  const worker = openRedisClient(redisUrl, 'wait');
  for (const client of [producer, worker]) client.on('error', () => undefined); // Queues and workers log it.
  return {
    kind: 'redis',
    outage: new RedisOutage(),
    maxBlockSeconds: MAX_BLOCK_SECONDS,
    connection: producer,
    workerConnection: worker,
    ping: async () => void (await producer.ping()),
    close: async () => void (await Promise.all([producer, worker].map(disconnect))),
  };
}

async function disconnect(client: RedisClient): Promise<void> {
  if (client.status === 'end') return;
  await new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.disconnect();
  });
}
