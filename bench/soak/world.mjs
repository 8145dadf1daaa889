// Everything a service of a soak runs with: Redis where there is one, processes, receivers.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accessToken } from '../support/access-token.mjs';
import { parentOf } from '../support/process-stats.mjs';
import { startService } from '../support/service.mjs';
import { openMemoryFolder } from './memory.mjs';
import { startReceiver } from './receivers.mjs';

const HEAP_PROBE = fileURLToPath(new URL('heap-probe.cjs', import.meta.url));

const ENV = {
  // Retries soon and for long, so that the end of the soak has not to be waited for.
  CDP_DELIVERY_BACKOFF_MS: '500',
  CDP_DELIVERY_BACKOFF_CAP_MS: '5000',
  CDP_DELIVERY_TIMEOUT_MS: '5000',
  CDP_DELIVERY_MAX_ATTEMPTS: '30',
  CDP_LOG_LEVEL: 'error',
};

export async function openWorld({ processes, receivers: receiverCount, database, withRedis }) {
  const redis = withRedis && hasRedis() ? await startRedis(await freePort()) : undefined;
  const memory = openMemoryFolder();
  const env = {
    ...ENV,
    ...database.env,
    SOAK_MEMORY_FOLDER: memory.folder,
    ...(redis === undefined ? {} : { CDP_REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
  };
  const world = {
    name: database.name ?? 'service',
    database,
    services: [],
    receivers: [],
    queue: redis === undefined ? 'PostgreSQL' : 'Redis',
    memoryFolder: memory.folder,
  };

  // Whatever ends this process early, the others end with it.
  process.once('exit', () => {
    for (const pid of [...world.services.map(({ pid }) => pid), redis?.pid()]) kill(pid);
    memory.remove();
  });
  const start = async (slot) => {
    const service = await startService({
      databaseUrl: database.url,
      env,
      nodeArgs: ['--require', HEAP_PROBE],
    });
    Object.assign(slot, service, { up: true, startedAt: Date.now() });
  };
  const end = async (slot, how) => {
    slot.up = false;
    if (how === 'kill') await killed(slot.pid);
    else await slot.stop();
    await start(slot);
  };
  for (let index = 0; index < processes; index += 1) {
    const slot = { index };
    await start(slot);
    world.services.push(slot);
  }
  const [{ url }] = world.services;
  const api = await apiOf(url);
  world.writeKey = (await api('/sources', { name: 'Soak' })).writeKey;
  for (let index = 0; index < receiverCount; index += 1) {
    const receiver = await startReceiver(`receiver-${index + 1}`);
    const body = { name: receiver.name, type: 'webhook', config: { url: receiver.url } };
    receiver.destinationId = (await api('/destinations', body)).id;
    world.receivers.push(receiver);
  }
  await api('/segments', {
    name: 'Active',
    rules: [{ field: 'event_count', operator: 'gt', value: 3 }],
  });
  return Object.assign(world, {
    urls: () => world.services.filter(({ up }) => up).map((service) => service.url),
    // The first process lives through everything else that happens: it shows what becomes of memory.
    mortals: world.services.slice(1),
    killService: (slot) => end(slot, 'kill'),
    stopService: (slot) => end(slot, 'stop'),
    crashPostgres: async () => {
      // One backend killed: the server ends all the others and recovers from its log, as after a power cut.
      const [{ pid }] = await database.query(
        `select pid from pg_stat_activity where application_name like 'cdp-service%' and pid <> pg_backend_pid() limit 1`,
      );
      process.kill(pid, 'SIGKILL');
      await untilAnswers(database);
    },
    // Here the server is restarted by this program; elsewhere by whatever runs it, which a soak cannot know.
    killPostgres: !database.isEmbedded
      ? undefined
      : async () => {
          const [pid] = await database.pids();
          process.kill(parentOf(pid), 'SIGKILL');
          await untilAnswers(database);
        },
    killRedis: redis === undefined ? undefined : (outageMs) => redis.restart(outageMs),
    close: async () => {
      await Promise.all(world.services.map((service) => service.stop()));
      for (const receiver of world.receivers) receiver.stop();
      await redis?.stop();
      await database.close();
    },
  });
}

async function apiOf(url) {
  const token = await accessToken('benchmark-jwt-secret');
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

function kill(pid) {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // Ended already.
  }
}

async function killed(pid) {
  kill(pid);
  await delay(200);
}

async function untilAnswers(database) {
  for (;;) {
    try {
      await database.query('select');
      return;
    } catch {
      await delay(100); // Recovering.
    }
  }
}

function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** A Redis that keeps nothing: restarted it is empty. */
async function startRedis(port) {
  const launch = () =>
    spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  let server = launch();
  const stop = () =>
    new Promise((resolve) => {
      server.once('exit', resolve);
      server.kill('SIGKILL');
    });
  return {
    port,
    pid: () => server.pid,
    stop,
    restart: async (outageMs) => {
      await stop();
      await delay(outageMs);
      server = launch();
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
