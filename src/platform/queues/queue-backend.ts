import { createPostgresBackend, type QueueOptions, setDefaultBackendFactory } from 'bullmq';
import { Pool } from 'pg';
import type { Config } from '../config/config';
import { QUEUE_SCHEMA } from '../database/run-migrations';

/** What BullMQ connects to, and how to let go of it after all queues and workers are closed. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  /** The connection of producers. Workers derive theirs from it, see {@link CdpWorker}. */
  readonly connection: QueueOptions['connection'];
  close(): Promise<void>;
}

/** Each worker keeps one connection for LISTEN; the rest is shared by queries of queues and workers. */
const POSTGRES_POOL_SIZE = 10;

/**
 * Chooses BullMQ's backend: Redis when `CDP_REDIS_URL` is set, else PostgreSQL. BullMQ knows one backend per
 * process, so this must run before Nest builds any queue.
 */
export function openQueueBackend(config: Config): QueueBackend {
  const redisUrl = config.env.CDP_REDIS_URL;
  return redisUrl === undefined ? openPostgresBackend(config.databaseUrl) : openRedisBackend(redisUrl);
}

function openPostgresBackend(databaseUrl: string): QueueBackend {
  setDefaultBackendFactory(createPostgresBackend);
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POSTGRES_POOL_SIZE,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    application_name: 'cdp-service-queue',
    keepAlive: true,
  });
  pool.on('error', () => undefined); // Reported by the query that meets the outage.
  return {
    kind: 'postgres',
    // BullMQ takes a ready pool here and never closes it.
    connection: pool,
    close: () => pool.end(),
  };
}

function openRedisBackend(redisUrl: string): QueueBackend {
  setDefaultBackendFactory();
  return {
    kind: 'redis',
    // Producers fail at once when Redis is away: the row in PostgreSQL waits for the sweeper instead.
    connection: { url: redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 },
    close: async () => undefined,
  };
}
