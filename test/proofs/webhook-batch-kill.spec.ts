import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { type ReceivedDelivery, Receiver } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'test-secret-of-some-length';
const ROUNDS = 6;
const EVENTS = 600;
const EVENTS_PER_REQUEST = 50;

describe('webhooks that get batches, whose workers are killed again and again', () => {
  let database: TestDatabase;
  let sql: Client;
  let front: BuiltService;
  let workers: BuiltService[];
  let receiver: Receiver;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    receiver = await Receiver.start();
    front = await start('management,events');
    workers = [await start('worker'), await start('worker')];
  });
  afterAll(async () => {
    await Promise.all([front, ...workers].map((service) => service.stop()));
    await receiver.stop();
    await sql.end();
    await database.drop();
  });

  function start(roles: string): Promise<BuiltService> {
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_LOG_LEVEL: 'error',
      CDP_ROLES: roles,
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
    });
  }

  it('get each event, under one id alone, and the same events each time that the id comes', async () => {
    const api = new ApiClient(front.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    const config = { url: receiver.url, batch: { maxEvents: 40, flushSeconds: 1 } };
    const made = await api.post('/destinations', { name: 'Batches', type: 'webhook', config });
    expect(made.status).toBe(201);
    const { writeKey } = await aSource(database.url);
    const answer = (_: ReceivedDelivery, response: ServerResponse): unknown => response.end();

    for (let round = 0; round < ROUNDS; round += 1) {
      // From the third request of the round on nobody learns that it was taken.
      const before = receiver.received.length;
      receiver.behaviour = (request, response) =>
        receiver.received.length - before < 3 ? answer(request, response) : undefined;
      const sending = send(round, writeKey);
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(before + 4));
      await Promise.all(workers.map((worker) => worker.kill()));
      await sending;
      receiver.behaviour = answer;
      // Others leave a batch to a worker that was killed until its lease ends, and its job until it counts as stalled.
      await sql.query(`update delivery_batch set due_at = now(), tries = tries + 1 where state = 'closed'`);
      workers = [await start('worker'), await start('worker')];
    }

    await eventually(async () => {
      const { rows } = await sql.query('select state, count(*)::int as count from delivery group by state');
      expect(rows).toEqual([{ state: 'delivered', count: ROUNDS * EVENTS }]);
    }, 120_000);
    const eventsOf = new Map<string, string>();
    for (const { id, body } of receiver.received) {
      expect(eventsOf.get(id) ?? body).toBe(body);
      eventsOf.set(id, body);
    }
    const arrived = [...eventsOf.values()].flatMap((body) =>
      (JSON.parse(body) as { messageId: string }[]).map(({ messageId }) => messageId),
    );
    expect(arrived.length).toBe(ROUNDS * EVENTS);
    expect(new Set(arrived).size).toBe(ROUNDS * EVENTS);
    // Otherwise nothing was sent twice, and nothing is shown.
    expect(receiver.received.length).toBeGreaterThan(eventsOf.size);
  });

  async function send(round: number, writeKey: string): Promise<void> {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      type: 'track',
      event: 'Order Completed',
      userId: `user-${n % 20}`,
      messageId: `m-${round}-${n}`,
      timestamp: new Date().toISOString(),
    }));
    for (let first = 0; first < EVENTS; first += EVENTS_PER_REQUEST) {
      const answer = await fetch(`${front.url}/v1/batch`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ batch: events.slice(first, first + EVENTS_PER_REQUEST) }),
      });
      expect(answer.status).toBe(200);
    }
  }
});
