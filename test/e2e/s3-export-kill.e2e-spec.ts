import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { startBucket, type TestBucket } from '../support/s3-server';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'test-secret-of-some-length';
const EVENTS = 400;

/** When the process that uploads is killed, seen from the bucket. */
type Moment = 'before the object is stored' | 'after it is stored, before the answer' | 'at some moment';

const MOMENTS: Moment[] = [
  'before the object is stored',
  'after it is stored, before the answer',
  'at some moment',
];

describe('an export whose process is killed again and again', () => {
  let database: TestDatabase;
  let bucket: TestBucket;
  let sql: Client;
  let service: BuiltService;
  let gate: Gate;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    bucket = await startBucket();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    gate = await Gate.start(bucket.config.endpoint);
    service = await start();
  }, 120_000);
  afterAll(async () => {
    await service.kill();
    await gate.stop();
    await sql.end();
    await bucket.close();
    await database.drop();
  });

  function start(): Promise<BuiltService> {
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_LOG_LEVEL: 'error',
    });
  }

  it('leaves each event exactly once in the bucket', async () => {
    const token = await aToken({ jwtSecret: JWT_SECRET });
    const api = new ApiClient(service.url, { authorization: `Bearer ${token}` });
    const created = await api.post('/destinations', {
      name: 'Lake',
      type: 's3-export',
      config: { ...bucket.config, endpoint: gate.url, maxEvents: 50, flushSeconds: 1 },
    });
    expect(created.status).toBe(201);
    gate.hold();
    const { writeKey } = await aSource(database.url);
    await send(service.url, writeKey);
    for (const moment of MOMENTS) {
      const killed = gate.killAt(moment, service);
      gate.open();
      await killed;
      await service.ended;
      service = await start();
      // Others leave a batch to a worker that was killed until its lease ends: here, at once.
      await sql.query(`update delivery_batch set due_at = now() where state = 'closed'`);
    }
    gate.open();
    await eventually(async () => {
      const { rows } = await sql.query('select state, count(*)::int as count from delivery group by state');
      expect(rows).toEqual([{ state: 'delivered', count: EVENTS }]);
    }, 180_000); // Longer than a lease and the pauses between tries.
    const exported = bucket.keys().map(async (key) => linesOf(await bucket.read(key)));
    const messageIds = (await Promise.all(exported)).flat().toSorted();
    expect(messageIds).toEqual(Array.from({ length: EVENTS }, (_, n) => idOf(n)));
  }, 420_000);
});

/** Between the service and the bucket: lets requests through, holds them, or kills who sent one. */
class Gate {
  private held: (() => void)[] = [];
  private isOpen = true;
  private plan:
    { readonly moment: Moment; readonly service: BuiltService; readonly done: () => void } | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(target: string): Promise<Gate> {
    const server = createServer((incoming, outgoing) => void gate.take(incoming, outgoing));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const gate = new Gate(server, new URL(target));
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  hold(): void {
    this.isOpen = false;
  }

  open(): void {
    this.isOpen = true;
    for (const goOn of this.held.splice(0)) goOn();
  }

  /** Resolves when the service was killed at the next upload. */
  killAt(moment: Moment, service: BuiltService): Promise<void> {
    return new Promise((done) => (this.plan = { moment, service, done }));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!this.isOpen) await new Promise<void>((goOn) => this.held.push(goOn));
    const { plan } = this;
    this.plan = undefined;
    if (plan?.moment === 'before the object is stored') return this.kill(plan);
    if (plan?.moment === 'at some moment') setTimeout(() => this.kill(plan), Math.random() * 50);
    const { hostname, port } = this.target;
    const { method, url: path, headers } = incoming;
    const onwards = forward({ hostname, port, method, path, headers }, (answer) => {
      if (plan?.moment === 'after it is stored, before the answer') return this.kill(plan);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    incoming.on('error', () => onwards.destroy());
    incoming.pipe(onwards);
  }

  private kill({ service, done }: { readonly service: BuiltService; readonly done: () => void }): void {
    this.hold();
    void service.kill().then(done);
  }
}

async function send(url: string, writeKey: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  const batch = Array.from({ length: EVENTS }, (_, n) => ({
    type: 'track',
    event: 'Order Completed',
    userId: `user-${n % 20}`,
    messageId: idOf(n),
    timestamp: new Date().toISOString(),
  }));
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
  });
  expect(answer.status).toBe(200);
}

function idOf(n: number): string {
  return `m-${String(n).padStart(4, '0')}`;
}

function linesOf(object: Buffer): string[] {
  const lines = gunzipSync(object).toString().trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { messageId: string }).messageId);
}
