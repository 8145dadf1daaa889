// @ts-check
// What every fault scenario works with: real PostgreSQL, Redis and workers, and a receiver that records, checks
// signatures and can be told to misbehave or to pull the plug at a moment of its own choosing.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addDeliveries,
  addDestination,
  enqueue,
  openFixture,
  openQueue,
  SECRET,
  startService,
} from '../../bench/delivery/fixture.mjs';
import { residentMegabytes } from '../../bench/support/process-stats.mjs';
import { listenLocally } from './listen-locally.mjs';

const MAX_RSS_MB = 450;

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {Record<string, { workers?: number, env?: NodeJS.ProcessEnv, run(rig: Rig): Promise<string> }>} Scenarios
 */

/** Short times, so that recovery can be watched. A lease lasts 2 timeouts and 15 s. */
const FAST = {
  CDP_ROLES: 'worker',
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_GRACE_MS: '3000',
  CDP_DELIVERY_BACKOFF_MS: '100',
  CDP_DELIVERY_BACKOFF_CAP_MS: '1000',
  CDP_DELIVERY_MAX_ATTEMPTS: '30',
  CDP_LOG_LEVEL: process.env.CDP_LOG_LEVEL ?? 'fatal',
};

export class Rig {
  /** @type {Awaited<ReturnType<typeof openFixture>>} */
  fixture;
  /** @type {import('bullmq').Queue} */
  queue;
  /** @type {string} */
  destinationId;
  /** @type {string} */
  url;
  /** @type {Awaited<ReturnType<typeof startService>>[]} */
  workers = [];
  /**
   * The ids of the deliveries that were received, in order.
   * @type {string[]}
   */
  requests = [];
  badSignatures = 0;
  /**
   * Decides what becomes of a request; the first one has the number 1.
   * @type {(request: Request, response: Response, number: number) => unknown}
   */
  behaviour = (_request, response) => response.end();
  /**
   * Whether a request proves where it comes from. Rotations of the secret bring a proof of their own.
   * @type {(headers: Request['headers'], body: Buffer) => boolean}
   */
  isSigned = (headers, body) => isSignedWith([SECRET], headers, body);
  /**
   * Called for each new connection.
   * @type {() => void}
   */
  onConnection = () => undefined;

  /** @param {{ workers?: number, env?: NodeJS.ProcessEnv }} options */
  async open({ workers = 1, env = {} }) {
    this.env = { ...FAST, ...env };
    this.fixture = await openFixture({ redis: true });
    await this.listen();
    this.destinationId = await addDestination(this.client, 'faults', `${this.url}/hook`);
    this.queue = await openQueue(this.fixture, 'deliveries');
    this.queue.on('error', () => undefined);
    for (let n = 0; n < workers; n += 1) await this.startWorker();
  }

  /** To PostgreSQL, also after it was started again. */
  get client() {
    return this.fixture.client;
  }

  async listen() {
    this.server = createServer((request, response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        this.requests.push(String(request.headers['webhook-id']));
        if (!this.isSigned(request.headers, body)) this.badSignatures += 1;
        this.behaviour(request, response, this.requests.length);
      });
    });
    this.server.on('connection', () => this.onConnection());
    this.url = await listenLocally(this.server);
  }

  async startWorker() {
    const worker = await startService(this.fixture, this.env);
    this.workers.push(worker);
    return worker;
  }

  /** SIGKILL: no chance to clean up. */
  killWorkers() {
    for (const { pid } of this.workers.splice(0)) process.kill(pid, 'SIGKILL');
  }

  /** SIGKILL of the one that has run the longest; answers when another has taken its place. */
  async replaceWorker() {
    this.killOldestWorker();
    await this.startWorker();
  }

  killOldestWorker() {
    const worker = this.workers.shift();
    if (worker === undefined) throw new Error('There is no worker to kill.');
    process.kill(worker.pid, 'SIGKILL');
  }

  /**
   * Accepts `count` events: ledger rows, and jobs if the queue takes them.
   * @param {number} count
   */
  accept(count, graceSeconds = 3) {
    return this.acceptFor(this.destinationId, count, graceSeconds);
  }

  /**
   * @param {string} destinationId
   * @param {number} count
   */
  async acceptFor(destinationId, count, graceSeconds = 3) {
    const ids = await addDeliveries(this.client, destinationId, count, graceSeconds);
    // A queue that is away takes nothing; the ledger has the deliveries all the same.
    const enqueued = enqueue(this.queue, destinationId, ids).catch(() => undefined);
    await Promise.race([enqueued, delay(2_000)]);
    return ids;
  }

  /** @param {number} count */
  async untilReceived(count, timeoutMs = 60_000) {
    const until = Date.now() + timeoutMs;
    while (new Set(this.requests).size < count) {
      if (Date.now() > until)
        throw new Error(`Only ${new Set(this.requests).size} of ${count} were received.`);
      await delay(20);
    }
  }

  /**
   * Waits until nothing is pending, then holds the receiver's records against the ledger.
   * @param {string[]} ids
   * @param {{ maxDuplicates: number, dead?: number }} expected
   */
  async settle(ids, { maxDuplicates, dead = 0 }, timeoutMs = 120_000) {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const counts = await this.states(ids);
      if (counts.pending === undefined) break;
      if (Date.now() > until) throw new Error(`Still pending: ${JSON.stringify(counts)}`);
      await delay(200);
    }
    const counts = await this.states(ids);
    const received = new Set(this.requests);
    const duplicates = this.requests.length - received.size;
    const problems = [];
    if ((counts.dead ?? 0) !== dead) problems.push(`${counts.dead ?? 0} dead instead of ${dead}`);
    if ((counts.delivered ?? 0) + (counts.dead ?? 0) !== ids.length)
      problems.push(`accepted ≠ delivered ∪ dead`);
    const missing = ids.filter((id) => !received.has(id)).length;
    if (missing > 0) problems.push(`${missing} never reached the receiver`);
    if (received.size > ids.length) problems.push('an unknown delivery id was received');
    if (this.badSignatures > 0) problems.push(`${this.badSignatures} bad signatures`);
    if (duplicates > maxDuplicates)
      problems.push(`${duplicates} duplicates, at most ${maxDuplicates} are expected`);
    if (problems.length > 0) throw new Error(problems.join('; '));
    return `${ids.length} accepted, ${counts.delivered ?? 0} delivered, ${counts.dead ?? 0} dead, ${duplicates} sent again`;
  }

  /** What the largest of the workers took at most, in MB. */
  checkMemory() {
    const mb = Math.round(Math.max(...this.workers.map(({ pid }) => residentMegabytes(pid).peak)));
    // What cannot be read is no number, and not little.
    if (!(mb <= MAX_RSS_MB)) throw new Error(`A worker took ${mb} MB.`);
    return mb;
  }

  /**
   * How many are in each state; none is left out.
   * @param {string[]} ids
   * @returns {Promise<Record<string, number | undefined>>}
   */
  async states(ids) {
    const { rows } = await this.client.query(
      'select state, count(*)::int from delivery where id = any($1::uuid[]) group by state',
      [ids],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  /** @param {string[]} args */
  async redisCommand(...args) {
    const { port } = new URL(String(this.fixture.redisUrl));
    const [code] = await once(spawn('redis-cli', ['-p', port, ...args], { stdio: 'ignore' }), 'exit');
    if (code !== 0) throw new Error(`redis-cli ${args.join(' ')}`);
  }

  /** @param {'SIGSTOP' | 'SIGCONT'} signal */
  signalRedis(signal) {
    process.kill(Number(this.fixture.redisPid), signal);
  }

  async close() {
    this.killWorkers();
    await this.queue?.close().catch(() => undefined);
    this.server?.closeAllConnections();
    this.server?.close();
    await this.fixture?.close();
  }
}

/**
 * @param {() => Promise<boolean>} reached
 * @param {string | (() => Promise<unknown>)} complaint what to say, or what is then to be said, when it is not in time
 * @param {number} timeoutMs
 */
export async function until(reached, complaint, timeoutMs) {
  const end = Date.now() + timeoutMs;
  while (!(await reached())) {
    if (Date.now() > end)
      throw new Error(typeof complaint === 'string' ? complaint : JSON.stringify(await complaint()));
    await delay(100);
  }
}

/**
 * Whether a request is signed with exactly these secrets, the newest first.
 * @param {string[]} secrets
 * @param {Request['headers']} headers
 * @param {Buffer} body
 */
export function isSignedWith(secrets, headers, body) {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  const plain = createHmac('sha256', secrets[0]).update(body).digest('hex');
  return (
    headers['x-service-signature'] === `sha256=${plain}` &&
    headers['webhook-signature'] === standard.join(' ')
  );
}
