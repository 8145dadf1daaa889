// What every fault scenario works with: real PostgreSQL, Redis and workers, and a receiver that records, checks
// signatures and can be told to misbehave or to pull the plug at a moment of its own choosing.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

const MAX_RSS_MB = 450;

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
  workers = [];
  requests = [];
  badSignatures = 0;
  /** Decides what becomes of a request: `(request, response, number) => void`. */
  behaviour = (_request, response) => response.end();
  /** Whether a request proves where it comes from. Rotations of the secret bring a proof of their own. */
  isSigned = (headers, body) => isSignedWith([SECRET], headers, body);
  /** Called for each new connection. */
  onConnection = () => undefined;

  async open({ workers = 1, redis = true, env = {} } = {}) {
    this.env = { ...FAST, ...env };
    this.fixture = await openFixture({ redis });
    this.client = this.fixture.client;
    await this.listen();
    this.destinationId = await addDestination(this.client, 'faults', `${this.url}/hook`);
    this.queue = await openQueue(this.fixture, 'deliveries');
    this.queue.on('error', () => undefined);
    for (let n = 0; n < workers; n += 1) await this.startWorker();
  }

  async listen() {
    this.server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        this.requests.push(request.headers['webhook-id']);
        if (!this.isSigned(request.headers, body)) this.badSignatures += 1;
        this.behaviour(request, response, this.requests.length);
      });
    });
    this.server.on('connection', (socket) => this.onConnection(socket));
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
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

  /** Accepts `count` events: ledger rows, and jobs if the queue takes them. */
  accept(count, graceSeconds = 3) {
    return this.acceptFor(this.destinationId, count, graceSeconds);
  }

  async acceptFor(destinationId, count, graceSeconds = 3) {
    const ids = await addDeliveries(this.client, destinationId, count, graceSeconds);
    // A queue that is away takes nothing; the ledger has the deliveries all the same.
    const enqueued = enqueue(this.queue, destinationId, ids).catch(() => undefined);
    await Promise.race([enqueued, delay(2_000)]);
    return ids;
  }

  async untilReceived(count, timeoutMs = 60_000) {
    const until = Date.now() + timeoutMs;
    while (new Set(this.requests).size < count) {
      if (Date.now() > until)
        throw new Error(`Only ${new Set(this.requests).size} of ${count} were received.`);
      await delay(20);
    }
  }

  /** Waits until nothing is pending, then holds the receiver's records against the ledger. */
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
    const peaks = this.workers.map(({ pid }) =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]),
    );
    const mb = Math.round(Math.max(...peaks) / 1024);
    if (mb > MAX_RSS_MB) throw new Error(`A worker took ${mb} MB.`);
    return mb;
  }

  async states(ids) {
    const { rows } = await this.client.query(
      'select state, count(*)::int from delivery where id = any($1::uuid[]) group by state',
      [ids],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  redisCommand(...args) {
    return new Promise((resolve, reject) => {
      const { port } = new URL(this.fixture.redisUrl);
      const cli = spawn('redis-cli', ['-p', port, ...args], { stdio: 'ignore' });
      cli.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`redis-cli ${args.join(' ')}`))));
    });
  }

  async close() {
    this.killWorkers();
    await this.queue?.close().catch(() => undefined);
    this.server?.closeAllConnections();
    this.server?.close();
    await this.fixture?.close();
  }
}

export async function until(reached, complaint, timeoutMs) {
  const end = Date.now() + timeoutMs;
  while (!(await reached())) {
    if (Date.now() > end)
      throw new Error(typeof complaint === 'string' ? complaint : JSON.stringify(await complaint()));
    await delay(100);
  }
}

/** Whether a request is signed with exactly these secrets, the newest first. */
export function isSignedWith(secrets, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
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
