import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress } from './redis-address';

export type RedisClient = Redis | Cluster;

/** A command that Redis has not answered after this long has failed, for a producer. */
const COMMAND_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** A worker waits in a command for a job, for this long at most. */
export const MAX_BLOCK_SECONDS = 10;
/** After this long without data, TCP asks whether the other end is still there. */
const KEEP_ALIVE_MS = 10_000;

/** How a client behaves while Redis is away. */
type Patience = 'at-once' | 'fail-fast' | 'wait';

const PATIENCE = {
  // A caller waits for an answer, which can do without Redis.
  'at-once': { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 },
  // Producers: the row in PostgreSQL is written already, the sweeper makes the job later.
  'fail-fast': { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  // Workers: nothing to do but wait.
  wait: { enableOfflineQueue: true, maxRetriesPerRequest: null },
} as const satisfies Record<Patience, RedisOptions>;

/**
 * A connection on which an answer is due and nothing comes is given up: its host was fenced, or a firewall forgot it,
 * and neither side will ever close it. That holds from the greeting on: BullMQ gives up a blocking command itself,
 * opens another connection, and would wait for ever for one that was taken and never greeted.
 */
const MAX_SILENCE_MS = {
  'at-once': COMMAND_TIMEOUT_MS,
  'fail-fast': COMMAND_TIMEOUT_MS,
  wait: MAX_BLOCK_SECONDS * 1000 + COMMAND_TIMEOUT_MS,
} as const satisfies Record<Patience, number>;

/**
 * Opens a client for a standalone Redis, the master behind sentinels, or a cluster; reconnects until it is told to
 * disconnect.
 */
export function openRedisClient(url: string, patience: Patience): RedisClient {
  return mended(clientFor(url, patience));
}

/**
 * A client without two faults of ioredis 5, and so are its duplicates. Told to disconnect while it waits to connect
 * again, it never ends, and neither does what was asked of it, so that whoever closes it waits for ever: from the
 * status `wait`, which is what it is in, it ends. And it goes on counting how long a connection has been silent that is
 * lost, which ends the one that came after it, or keeps the process from ending.
 */
function mended<Client extends RedisClient>(client: Client): Client {
  const disconnect = client.disconnect.bind(client);
  const duplicate = client.duplicate.bind(client) as (...args: unknown[]) => Client;
  if (client instanceof Cluster) client.on('+node', forgetSilenceOnClose);
  else forgetSilenceOnClose(client);
  return Object.assign(client, {
    disconnect(reconnect = false): void {
      if (!reconnect && client.status === 'reconnecting') client.status = 'wait';
      disconnect(reconnect);
    },
    duplicate: (...args: unknown[]): Client => mended(duplicate(...args)),
  });
}

function forgetSilenceOnClose(client: Redis): void {
  client.on('close', () => {
    clearTimeout(client['socketTimeoutTimer'] as NodeJS.Timeout | undefined);
    client['socketTimeoutTimer'] = undefined;
  });
}

function clientFor(url: string, patience: Patience): RedisClient {
  const address = parseRedisAddress(url);
  const connection: RedisOptions = {
    ...PATIENCE[patience],
    socketTimeout: MAX_SILENCE_MS[patience],
    connectTimeout: COMMAND_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    reconnectOnError: isDemoted,
  };
  const options: RedisOptions = { ...connection, retryStrategy: reconnectDelay };
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
        sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
        ...(address.tls ? { tls: {}, enableTLSForSentinelMode: true } : {}),
      });
    case 'cluster':
      return new Cluster([...address.nodes], {
        enableOfflineQueue: patience === 'wait',
        clusterRetryStrategy: reconnectDelay,
        // Certificates are for names: keep them instead of resolving to addresses.
        ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
        redisOptions: {
          ...connection,
          username: address.username,
          password: address.password,
          ...(address.tls ? { tls: {} } : {}),
        },
      });
  }
}

/**
 * A master that was demoted answers READONLY for as long as one stays with it. Whatever the address leads to by now is
 * the master, or will be: the command is sent there again.
 */
function isDemoted(error: Error): 2 | false {
  return error.message.includes('READONLY') ? 2 : false;
}

function reconnectDelay(tries: number): number {
  return Math.min(50 * 2 ** Math.min(tries, 10), MAX_RECONNECT_DELAY_MS);
}
