import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually';
import { freePort } from './free-port';

/** Whether this machine can start Redis servers of its own. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer {
  readonly port: number;
  kill(): Promise<void>;
}

export interface RedisCluster {
  /** For `CDP_REDIS_URL`. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

export interface RedisSentinels extends RedisCluster {
  /** Kills the master that was started first. */
  killMaster(): Promise<void>;
}

const SLOTS = 16_384;
/** From the port of a node to the one by which the nodes talk to each other. */
const BUS_DISTANCE = 10_000;

/** Three masters without replicas, all slots covered. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-redis-cluster-'));
  const nodes = await Promise.all(
    [0, 1, 2].map(async (index) =>
      startRedis(
        `--port ${await freePort(BUS_DISTANCE)} --cluster-enabled yes --cluster-node-timeout 2000 --cluster-config-file nodes-${index}.conf`,
        directory,
      ),
    ),
  );
  const clients = nodes.map(({ port }) => new Redis(port));
  try {
    await Promise.all(
      clients.map(async (client, index) => {
        const first = Math.floor((SLOTS * index) / nodes.length);
        const last = Math.floor((SLOTS * (index + 1)) / nodes.length) - 1;
        await client.call('cluster', 'addslotsrange', first, last);
      }),
    );
    for (const node of nodes) await clients[0]!.call('cluster', 'meet', '127.0.0.1', node.port);
    await eventually(async () => {
      for (const client of clients) expect(await client.call('cluster', 'info')).toMatch(/cluster_state:ok/);
    });
  } finally {
    clients.forEach((client) => client.disconnect());
  }
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    stop: () => stopAll(nodes, directory),
  };
}

/** One Redis that keeps nothing on disk: killed and started again on its port it is empty. */
export async function startRedisServer(port?: number): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-redis-'));
  const server = await startRedis(port === undefined ? '' : `--port ${port}`, directory);
  return { port: port ?? server.port, kill: () => stopAll([server], directory) };
}

/** A master with one replica, watched by one sentinel that calls a master down after a second. */
export async function startRedisSentinels(): Promise<RedisSentinels> {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-redis-sentinel-'));
  const master = await startRedis('', directory);
  const replica = await startRedis(
    `--dbfilename replica.rdb --repl-diskless-sync-delay 0 --replicaof 127.0.0.1 ${master.port}`,
    directory,
  );
  const file = join(directory, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `sentinel monitor cdp 127.0.0.1 ${master.port} 1`,
      'sentinel down-after-milliseconds cdp 1000',
      'sentinel failover-timeout cdp 3000',
    ].join('\n'),
  );
  const sentinel = await startRedis('--sentinel', directory, [file]);
  const nodes = [master, replica, sentinel];
  await untilReplicaKnown(sentinel.port);
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/cdp`,
    nodes,
    killMaster: () => master.kill(),
    stop: () => stopAll(nodes, directory),
  };
}

/** The sentinel asks the master for its replicas every ten seconds; a failover before that finds none. */
async function untilReplicaKnown(port: number): Promise<void> {
  const client = new Redis(port);
  try {
    await eventually(async () => {
      const replicas = (await client.call('sentinel', 'replicas', 'cdp')) as string[][];
      expect(replicas.flat().join(' ')).toMatch(/master-link-status ok/);
    }, 25_000);
  } finally {
    client.disconnect();
  }
}

async function startRedis(
  settings: string,
  directory: string,
  file: readonly string[] = [],
): Promise<RedisServer> {
  const own = settings === '' ? [] : settings.split(' ');
  const port = own[0] === '--port' ? Number(own[1]) : await freePort();
  const always = ['--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...file, ...always, '--dir', directory, ...own], { stdio: 'ignore' });
  const client = new Redis(port, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // Not up yet.
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`Redis on port ${port} did not start (${code}).`))),
  );
  await Promise.race([client.ping(), ended]).finally(() => client.disconnect());
  ended.catch(() => undefined); // Its end, later on.
  return { port, kill: () => kill(child) };
}

async function stopAll(nodes: readonly RedisServer[], directory: string): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()));
  rmSync(directory, { recursive: true, force: true });
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
