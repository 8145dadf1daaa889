import { randomBytes } from 'node:crypto';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
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
/** Random, so that an object of all events stays larger than one part of an upload, whatever compresses it. */
const NOISE_BYTES = 22_000;
const EVENTS_PER_REQUEST = 15;

/** The destinations by their prefix: many small objects, and one large object of either format. */
const EXPORTS: Readonly<Record<string, object>> = {
  small: { maxEvents: 50, flushSeconds: 1 },
  lines: { maxEvents: EVENTS, flushSeconds: 3_600 },
  columns: { maxEvents: EVENTS, flushSeconds: 3_600, format: 'parquet' },
};

/** When the process that uploads is killed, seen from the bucket. */
interface Moment {
  /** At the first request like this for the export, */
  readonly to: keyof typeof EXPORTS;
  readonly request: RegExp;
  /** before the bucket gets it, when it was answered but nobody knows, or while it is on its way. */
  readonly when: 'before' | 'after' | 'during';
}

const MOMENTS: Moment[] = [
  { to: 'small', request: /^PUT/, when: 'before' },
  { to: 'small', request: /^PUT/, when: 'after' },
  { to: 'lines', request: /partNumber=2/, when: 'during' },
  // The object is there, and nothing in the database says so.
  { to: 'lines', request: /^POST .*uploadId=/, when: 'after' },
  { to: 'columns', request: /^POST .*uploadId=/, when: 'after' },
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
  });
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
    for (const [prefix, more] of Object.entries(EXPORTS)) {
      const config = { ...bucket.config, endpoint: gate.url, prefix: `${prefix}/`, ...more };
      const created = await api.post('/destinations', { name: prefix, type: 's3-export', config });
      expect(created.status).toBe(201);
    }
    const { writeKey } = await aSource(database.url);
    await send(service.url, writeKey);
    for (const moment of MOMENTS) {
      await gate.killAt(moment, service);
      await service.ended;
      service = await start();
      // Others leave a batch to a worker that was killed until its lease ends, and its job until it counts as stalled.
      await sql.query(`update delivery_batch set due_at = now(), tries = tries + 1 where state = 'closed'`);
    }
    gate.openForAll();
    await eventually(async () => {
      const { rows } = await sql.query('select state, count(*)::int as count from delivery group by state');
      expect(rows).toEqual([{ state: 'delivered', count: EVENTS * Object.keys(EXPORTS).length }]);
    }, 180_000); // Longer than a lease and the pauses between tries.
    const expected = Array.from({ length: EVENTS }, (_, n) => idOf(n));
    // How many there are of these depends on how many were closed by age.
    expect(await exported('small', linesOf)).toMatchObject({ messageIds: expected });
    expect(await exported('lines', linesOf)).toEqual({ objects: 1, messageIds: expected });
    expect(await exported('columns', rowsOf)).toEqual({ objects: 1, messageIds: expected });
  });

  async function exported(
    prefix: keyof typeof EXPORTS,
    idsOf: (object: Buffer) => Promise<string[]>,
  ): Promise<{ objects: number; messageIds: string[] }> {
    const keys = bucket.keys().filter((key) => key.startsWith(`${prefix}/`));
    const found = await Promise.all(keys.map(async (key) => idsOf(await bucket.read(key))));
    return { objects: keys.length, messageIds: found.flat().toSorted() };
  }
});

/** Between the service and the bucket: lets requests of one export through, holds the others, kills who sends them. */
class Gate {
  private held: (() => void)[] = [];
  private plan: (Moment & { readonly service: BuiltService; readonly done: () => void }) | undefined;
  private isOpen = false;
  private passing: keyof typeof EXPORTS | undefined;

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

  openForAll(): void {
    this.isOpen = true;
    for (const goOn of this.held.splice(0)) goOn();
  }

  /** Lets the requests of the moment's export through. Resolves when the service was killed at it. */
  killAt(moment: Moment, service: BuiltService): Promise<void> {
    return new Promise((done) => {
      this.plan = { ...moment, service, done };
      this.passing = moment.to;
      for (const goOn of this.held.splice(0)) goOn();
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = `${incoming.method} ${incoming.url}`;
    while (!this.isOpen && !this.mayPass(request)) {
      await new Promise<void>((goOn) => this.held.push(goOn));
    }
    if (incoming.socket.destroyed) return; // Its sender was killed while it was held.
    const isTheOne = (when: Moment['when']): boolean =>
      this.plan?.when === when && this.plan.request.test(request);
    if (isTheOne('before')) return this.kill();
    if (isTheOne('during')) setTimeout(() => this.kill(), Math.random() * 50);
    const { hostname, port } = this.target;
    const { method, url: path, headers } = incoming;
    const onwards = forward({ hostname, port, method, path, headers }, (answer) => {
      if (isTheOne('after')) return this.kill();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    outgoing.once('close', () => onwards.destroy());
    incoming.pipe(onwards);
  }

  /** Small objects go through beside the others, so that they do not keep all batches at once for themselves. */
  private mayPass(request: string): boolean {
    const passing = this.passing === undefined ? [] : ['small', this.passing];
    return passing.some((prefix) => request.includes(`/${prefix}/`));
  }

  private kill(): void {
    const { plan } = this;
    this.plan = undefined;
    this.passing = undefined;
    if (plan !== undefined) void plan.service.kill().then(plan.done);
  }
}

async function send(url: string, writeKey: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    type: 'track',
    event: 'Order Completed',
    userId: `user-${n % 20}`,
    messageId: idOf(n),
    timestamp: new Date().toISOString(),
    properties: { noise: randomBytes(NOISE_BYTES).toString('base64') },
  }));
  for (let start = 0; start < EVENTS; start += EVENTS_PER_REQUEST) {
    const answer = await fetch(`${url}/v1/batch`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ batch: events.slice(start, start + EVENTS_PER_REQUEST) }),
    });
    expect(answer.status).toBe(200);
  }
}

function idOf(n: number): string {
  return `m-${String(n).padStart(4, '0')}`;
}

async function linesOf(object: Buffer): Promise<string[]> {
  const lines = gunzipSync(object).toString().trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { messageId: string }).messageId);
}

async function rowsOf(object: Buffer): Promise<string[]> {
  const rows = await parquetReadObjects({ file: new Uint8Array(object).buffer, columns: ['message_id'] });
  return rows.map(({ message_id: messageId }) => String(messageId));
}
