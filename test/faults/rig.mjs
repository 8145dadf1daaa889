// What every fault scenario works with: real PostgreSQL, Redis and workers, and a receiver that records, checks
// signatures and can be told to misbehave or to pull the plug at a moment of its own choosing.
import { createHmac } from 'node:crypto';
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

const STANDARD_KEY = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

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
  /** Called for each new connection. */
  onConnection = () => undefined;

  async open({ workers = 1, redis = true } = {}) {
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
        if (!isSigned(request.headers, body)) this.badSignatures += 1;
        this.behaviour(request, response, this.requests.length);
      });
    });
    this.server.on('connection', (socket) => this.onConnection(socket));
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  async startWorker() {
    const worker = await startService(this.fixture, FAST);
    this.workers.push(worker);
    return worker;
  }

  /** SIGKILL: no chance to clean up. */
  killWorkers() {
    for (const { pid } of this.workers.splice(0)) process.kill(pid, 'SIGKILL');
  }

  /** Accepts `count` events: ledger rows, and jobs if the queue takes them. */
  async accept(count) {
    const ids = await addDeliveries(this.client, this.destinationId, count, 3);
    // A queue that is away takes nothing; the ledger has the deliveries all the same.
    const enqueued = enqueue(this.queue, this.destinationId, ids).catch(() => undefined);
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

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const standard = createHmac('sha256', STANDARD_KEY)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  const plain = createHmac('sha256', SECRET).update(body).digest('hex');
  return (
    headers['x-service-signature'] === `sha256=${plain}` && headers['webhook-signature'] === `v1,${standard}`
  );
}
