// @ts-check
// What the measurements share: services to run against, rows to deliver, the worker under test.
import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import pg from 'pg';
import { openBenchDatabase } from '../support/postgres.mjs';
import { cpuSeconds, parentOf, treeCpuSeconds } from '../support/process-stats.mjs';
import { START_ARGS } from '../support/start-args.mjs';
import { Config } from '#dist/platform/config/config';
import { startEmbeddedPostgres } from '#dist/platform/database/embedded/embedded-postgres';
import { runMigrations } from '#dist/platform/database/run-migrations';
import { redisPrefix } from '#dist/platform/queues/queues.module';
import { SecretBox } from '#dist/platform/secrets/secret-box';

const here = new URL('.', import.meta.url).pathname;
const dist = join(here, '../../dist');

export const ENCRYPTION_KEY = 'bench-encryption-key-of-some-length';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CHUNK = 100;

export async function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/**
 * PostgreSQL with its default durability, or a database on the one that is given, Redis, the receiver; `close()` ends
 * them all. With `keepIn`, a folder, the database is found again by the next run. `settings` are those of PostgreSQL, where
 * it is the fixture's own.
 * @param {{ redis: boolean, databaseUrl?: string, keepIn?: string, settings?: readonly string[] }} options
 */
export async function openFixture({ redis, databaseUrl, keepIn, settings = [] }) {
  const isOwn = databaseUrl === undefined && keepIn === undefined;
  const postgres = isOwn ? await startPostgres(settings) : await openGiven(databaseUrl, keepIn);
  const redisPort = redis ? await freePort() : undefined;
  let redisServer = redis ? startRedis(redisPort) : undefined;
  const receiver = fork(join(here, 'receiver.mjs'));
  const [{ port }] = await new Promise((resolve) =>
    receiver.once('message', (...message) => resolve(message)),
  );
  const fixture = {
    databaseUrl: postgres.url,
    redisUrl: redis ? `redis://127.0.0.1:${redisPort}` : undefined,
    receiverUrl: `http://127.0.0.1:${port}`,
    client: await connect(postgres.url),
    postgresPid: await postmasterOf(postgres.url),
    receiverPid: receiver.pid,
    get redisPid() {
      return redisServer?.pid;
    },
    /** Redis dies and comes back with nothing. */
    async restartRedis() {
      const killed = redisServer;
      if (killed === undefined) throw new Error('This fixture has no Redis.');
      killed.kill('SIGKILL');
      await new Promise((resolve) => killed.once('exit', resolve));
      await delay(1_000);
      redisServer = startRedis(redisPort);
    },
    /** A backend is killed: PostgreSQL drops all connections and recovers from its log. */
    async crashPostgres() {
      const { rows } = await fixture.client.query('select pg_backend_pid() as pid');
      process.kill(rows[0].pid, 'SIGKILL');
      await delay(500);
      fixture.client = await connect(postgres.url);
    },
    /** The server itself ends, by a signal of its operator's or of fate's, and is started again. */
    async restartPostgres(signal) {
      const { rows } = await fixture.client.query(`select pg_read_file('postmaster.pid') as text`);
      process.kill(Number.parseInt(rows[0].text, 10), signal);
      await delay(500);
      fixture.client = await connect(postgres.url);
    },
    async close() {
      await fixture.client.end().catch(() => undefined);
      receiver.kill();
      redisServer?.kill('SIGKILL');
      await postgres.stop();
    },
  };
  return fixture;
}

/** @param {readonly string[]} settings */
async function startPostgres(settings) {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-bench-pg-'));
  chmodSync(directory, 0o755); // PostgreSQL may run as another user.
  const { url, stop } = await startEmbeddedPostgres({
    directory,
    settings: ['shared_preload_libraries=pg_stat_statements', ...settings],
  });
  await runMigrations(url);
  return {
    url,
    async stop() {
      await stop();
      for (const left of [directory, `${directory}.log`, `${directory}.lock`]) {
        rmSync(left, { recursive: true, force: true });
      }
    },
  };
}

async function openGiven(databaseUrl, keepIn) {
  const { url, close } = await openBenchDatabase(databaseUrl, { keepIn });
  return { url, stop: close };
}

function startRedis(port) {
  return spawn('redis-server', ['--port', port, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
}

async function postmasterOf(databaseUrl) {
  const client = await connect(databaseUrl);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = parentOf(rows[0].pid);
  await client.end();
  return pid;
}

async function connect(databaseUrl) {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 300) throw error;
      await delay(100); // Still recovering.
    }
  }
}

/** What Node is to do besides, `--cpu-prof` for one. */
const NODE_ARGS = process.env.BENCH_NODE_ARGS?.split(' ') ?? [];

/**
 * Starts the service as `npm start` does; `stop()` ends it with SIGTERM.
 * @param {{ databaseUrl: string, redisUrl?: string }} fixture
 * @param {NodeJS.ProcessEnv} env
 */
export async function startService(fixture, env = {}, nodeArgs = NODE_ARGS) {
  const port = await freePort();
  const service = spawn('node', [...START_ARGS, ...nodeArgs, join(dist, 'main.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: port,
      CDP_LOG_LEVEL: 'warn',
      CDP_DATABASE_URL: fixture.databaseUrl,
      CDP_REDIS_URL: fixture.redisUrl ?? '',
      CDP_ENCRYPTION_KEY: ENCRYPTION_KEY,
      CDP_JWT_SECRET: 'bench-jwt-secret-of-some-length',
      CDP_EGRESS_ALLOW: '127.0.0.0/8',
      ...env,
    },
  });
  const exited = new Promise((resolve) => service.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const live = await fetch(`${url}/health/live`).catch(() => undefined);
    if (live !== undefined) break;
    if (service.exitCode !== null) throw new Error('The service did not start.');
    await delay(50);
  }
  return {
    url,
    pid: /** @type {number} */ (service.pid), // It answers, so it has one.
    async stop() {
      service.kill('SIGTERM');
      await exited;
    },
  };
}

export async function addDestination(client, name, url) {
  const id = uuidAt(Date.now());
  await client.query(
    `insert into destination (id, name, type, config, secrets_sealed) values ($1, $2, 'webhook', $3, $4)`,
    [id, name, { url }, secretBox.seal(JSON.stringify({ secret: SECRET }))],
  );
  return id;
}

/** An `s3-export` that is paused, so that it can be filled first. */
export async function addExport(client, { secretAccessKey, ...config }) {
  const id = uuidAt(Date.now());
  await client.query(
    `insert into destination (id, name, type, config, secrets_sealed, enabled)
     values ($1, 'export', 's3-export', $2, $3, false)`,
    [id, config, secretBox.seal(JSON.stringify({ secretAccessKey }))],
  );
  return id;
}

/** Writes `count` events and one pending delivery of each, in the ledger as routing leaves them. Answers the ids. */
export async function addDeliveries(client, destinationId, count, dueInSeconds = 600) {
  const ids = [];
  for (let start = 0; start < count; start += 5000) {
    const size = Math.min(5000, count - start);
    const rows = Array.from({ length: size }, (_, n) => aRow(start + n));
    ids.push(...rows.map(({ delivery }) => delivery));
    await client.query(
      `with r as (select * from json_to_recordset($1) as r(s text, t timestamptz, e uuid, delivery uuid, p json)),
       events as (
         insert into event (subject, "timestamp", id, source_id, type, name, payload)
         select s, t, e, '00000000-0000-7000-8000-000000000001', 'track', 'Order Completed', p from r)
       insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
       select delivery, $2, s, t, e, 'track', now() + $3 * interval '1 second' from r`,
      [JSON.stringify(rows), destinationId, dueInSeconds],
    );
  }
  return ids;
}

/** Events that the deliveries of an outage share: it is the ledger that has to be long. */
const OUTAGE_EVENTS = 10_000;

/** Writes what an outage leaves behind: `count` deliveries that became due one millisecond after the other. */
export async function addOutage(client, destinationId, count) {
  await addDeliveries(client, destinationId, Math.min(count, OUTAGE_EVENTS), 0);
  await client.query(
    `with sample as materialized (
       select row_number() over () - 1 as n, subject, event_timestamp, event_id from delivery where destination_id = $1)
     insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
     select (lpad(to_hex($2::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid,
       $1, subject, event_timestamp, event_id, 'track', now() - ($3::int - i) * interval '1 millisecond'
     from generate_series(1, $3::int) as i join sample on sample.n = i % ${OUTAGE_EVENTS}`,
    [destinationId, Date.now(), count - Math.min(count, OUTAGE_EVENTS)],
  );
}

/** Adds the jobs of first tries, as `Deliveries.enqueue` does. */
export async function enqueue(queue, destinationId, ids) {
  const jobs = [];
  for (let start = 0; start < ids.length; start += CHUNK) {
    const deliveryIds = ids.slice(start, start + CHUNK);
    jobs.push({
      name: `bench (${deliveryIds.length} events)`,
      data: { destinationId, deliveryIds },
      opts: { jobId: `${destinationId}-${deliveryIds[0]}`, removeOnComplete: true },
    });
  }
  for (let start = 0; start < jobs.length; start += 500) await queue.addBulk(jobs.slice(start, start + 500));
}

export async function openQueue(fixture, name) {
  if (fixture.redisUrl !== undefined) {
    return new Queue(name, { connection: { url: fixture.redisUrl }, prefix: redisPrefix(name) });
  }
  const { createPostgresBackend, setDefaultBackendFactory } = await import('bullmq');
  setDefaultBackendFactory(createPostgresBackend);
  const pool = new pg.Pool({ connectionString: fixture.databaseUrl, options: '-c search_path=bullmq' });
  const queue = new Queue(name, { connection: pool, prefix: redisPrefix(name) });
  const close = queue.close.bind(queue);
  queue.close = async () => {
    await close();
    await pool.end();
  };
  return queue;
}

export async function untilAllDelivered(client, destinationIds, timeoutMs = 60_000) {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as pending from delivery where destination_id = any($1) and state = 'pending'`,
      [destinationIds],
    );
    if (rows[0].pending === 0) return;
    if (Date.now() > until) throw new Error(`${rows[0].pending} deliveries are still pending.`);
    await delay(20);
  }
}

/**
 * Seconds from `begin` until the receiver has had all deliveries to a destination, and the ledger says so.
 * @param {() => Promise<unknown>} begin
 * @param {{ client: pg.Client, receiverUrl: string }} fixture
 * @param {{ destinationId: string, path: string, total: number }} deliveries
 */
export async function secondsToDeliver(begin, { client, receiverUrl }, { destinationId, path, total }) {
  const start = performance.now();
  await begin();
  // Counting rows again and again would cost PostgreSQL what is being measured.
  await untilReceived(receiverUrl, path, total);
  await untilAllDelivered(client, [destinationId]);
  return (performance.now() - start) / 1000;
}

async function untilReceived(receiverUrl, path, total) {
  for (;;) {
    const answer = await fetch(`${receiverUrl}/control/stats`);
    const seen = /** @type {Record<string, { distinct: number }>} */ (await answer.json());
    if ((seen[path]?.distinct ?? 0) >= total) return;
    await delay(20);
  }
}

/** Answers what to call for the microseconds of CPU that each of `count` deliveries has cost since. */
export function cpuOf(fixture, service) {
  const now = () => ({
    worker: cpuSeconds(service.pid),
    postgres: treeCpuSeconds(fixture.postgresPid),
    receiver: cpuSeconds(fixture.receiverPid),
    redis: fixture.redisUrl === undefined ? 0 : cpuSeconds(fixture.redisPid),
  });
  const from = now();
  return (count) => {
    const each = (seconds) => Math.round((seconds / count) * 1e6);
    const to = now();
    return Object.fromEntries(Object.keys(from).map((name) => [name, each(to[name] - from[name])]));
  };
}

export function uuidAt(timeMs) {
  const hex = timeMs.toString(16).padStart(12, '0') + '7' + randomUUID().replaceAll('-', '').slice(13);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function aRow(n) {
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  return {
    s: `u:user-${n % 10_000}`,
    t: timestamp,
    e: uuidAt(now),
    delivery: uuidAt(now),
    p: {
      type: 'track',
      event: 'Order Completed',
      userId: `user-${n % 10_000}`,
      messageId: randomUUID(),
      timestamp,
      receivedAt: timestamp,
      properties: {
        orderId: '50314b8e9bcf000000000000',
        total: 30,
        currency: 'EUR',
        products: ['a', 'b', 'c'],
        sentAtMs: now,
      },
      context: { ip: '203.0.113.7', userAgent: 'bench', locale: 'en' },
    },
  };
}

/** As the service seals secrets at rest. */
const secretBox = new SecretBox(
  Config.from({ CDP_DATABASE_URL: 'postgres://unused', CDP_ENCRYPTION_KEY: ENCRYPTION_KEY }),
);
