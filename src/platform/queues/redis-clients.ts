import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress } from './redis-address';

export type RedisClient = Redis | Cluster;

/** A command that Redis has not answered after this long has failed, for a producer. */
const COMMAND_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;

/** How a client behaves while Redis is away. */
export type Patience = 'at-once' | 'fail-fast' | 'wait';

const PATIENCE = {
  // Somebody waits for an answer that does without Redis.
  'at-once': { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 },
  // Producers: the row in PostgreSQL is written already, the sweeper makes the job later.
  'fail-fast': { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  // Workers: nothing to do but wait.
  wait: { enableOfflineQueue: true, maxRetriesPerRequest: null },
} as const satisfies Record<Patience, RedisOptions>;

/** Opens a client for a standalone Redis, the master behind sentinels, or a cluster; reconnects for ever. */
export function openRedisClient(url: string, patience: Patience): RedisClient {
  const address = parseRedisAddress(url);
  const options: RedisOptions = { ...PATIENCE[patience], retryStrategy: reconnectDelay };
  switch (address.kind) {
    case 'standalone':
      return new Redis(address.url, options);
    case 'sentinel':
      return new Redis({
        ...options,
        sentinels: [...address.nodes],
        name: address.master,
        db: address.db,
        username: address.username,
        password: address.password,
        sentinelUsername: address.sentinelUsername,
        sentinelPassword: address.sentinelPassword,
        sentinelRetryStrategy: reconnectDelay,
        // A demoted master answers READONLY until the sentinels have told everybody.
        reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
        ...(address.tls ? { tls: {}, enableTLSForSentinelMode: true } : {}),
      });
    case 'cluster':
      return new Cluster([...address.nodes], {
        enableOfflineQueue: patience === 'wait',
        clusterRetryStrategy: reconnectDelay,
        // Certificates are for names: keep them instead of resolving to addresses.
        ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
        redisOptions: {
          ...PATIENCE[patience],
          username: address.username,
          password: address.password,
          ...(address.tls ? { tls: {} } : {}),
        },
      });
  }
}

function reconnectDelay(tries: number): number {
  return Math.min(50 * 2 ** Math.min(tries, 10), MAX_RECONNECT_DELAY_MS);
}
