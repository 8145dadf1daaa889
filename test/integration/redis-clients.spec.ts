import { once } from 'node:events';
import { openRedisClient } from '../../src/platform/queues/redis-clients';
import {
  hasRedisServer,
  type RedisCluster,
  startRedisCluster,
  startRedisServer,
} from '../support/redis-servers';

const SERVERS = [
  { kind: 'standalone', start: startServer },
  { kind: 'cluster', start: startRedisCluster },
];
const describeWithRedis = hasRedisServer ? describe : describe.skip;

describeWithRedis('a client of Redis that waits for a job', () => {
  it.each(SERVERS)('leaves no timer behind when it ends: $kind', async ({ start }) => {
    const redis = await start();
    const [started, ended] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
    const first = openRedisClient(redis.url, 'wait');
    const clients = [first, first.duplicate()];
    const asked = clients.map((client) => client.bzpopmin('nothing', 0).catch(() => undefined));
    await Promise.all(clients.map((client) => once(client, 'ready')));
    const ends = clients.map((client) => once(client, 'end'));
    for (const client of clients) client.disconnect();
    await Promise.all([...ends, ...asked]);
    const silences = started.mock.results.filter((_, call) => Number(started.mock.calls[call]?.[1]) > 10_000);
    expect(silences.length).toBeGreaterThanOrEqual(2);
    const forgotten = new Set(ended.mock.calls.map(([timer]) => timer));
    expect(silences.filter(({ value }) => !forgotten.has(value)).length).toBe(0);
    jest.restoreAllMocks();
    await redis.stop();
  });
});

describeWithRedis('a client of Redis that waits to connect again', () => {
  it.each(SERVERS)('ends when it is told to, and what waits in it is refused: $kind', async ({ start }) => {
    const redis = await start();
    const first = openRedisClient(redis.url, 'wait');
    const clients = [first, first.duplicate()];
    for (const client of clients) client.on('error', () => undefined);
    await Promise.all(clients.map((client) => client.ping()));
    const away = clients.map((client) => once(client, 'reconnecting'));
    await redis.stop();
    // The client of a cluster notices when something is asked of it.
    const asked = clients.map((client) =>
      client.bzpopmin('nothing', 0).then(
        () => 'answered',
        () => 'refused',
      ),
    );
    await Promise.all(away);
    const ends = clients.map((client) => once(client, 'end'));
    for (const client of clients) client.disconnect();
    await Promise.all(ends);
    expect(await Promise.all(asked)).toEqual(['refused', 'refused']);
  });
});

async function startServer(): Promise<Pick<RedisCluster, 'url' | 'stop'>> {
  const { port, kill } = await startRedisServer();
  return { url: `redis://127.0.0.1:${port}`, stop: kill };
}
