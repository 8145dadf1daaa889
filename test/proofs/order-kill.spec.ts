import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { OrderedPeople, type PersonEvent } from '../support/ordered-people';
import { Receiver } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** `npm run test:order` makes many. */
const ROUNDS = Number(process.env.CDP_TEST_ORDER_ROUNDS ?? 2);
const PROCESSES = 3;
const PEOPLE = 12;
/** Events of a person that have not arrived: whoever has as many sends no more until some have. */
const MOST_WAITING = 50;
const JWT_SECRET = 'test-secret-of-some-length';

jest.setTimeout(120_000 + ROUNDS * 180_000);

/** How the receiver behaves for a while. */
interface Mood {
  /** Parts of all requests. */
  readonly failing: number;
  readonly hanging: number;
}

/** What happens at one moment of a round. */
interface Turn {
  readonly mood: Mood;
  /** The process that is killed; none beyond them. */
  readonly victim: number;
  readonly waitMs: number;
  readonly destination: 'as it is' | 'paused' | 'limited';
}

const turns = fc.array(
  fc.record<Turn>({
    mood: fc.record({ failing: fc.constantFrom(0, 0.1, 0.5, 1), hanging: fc.constantFrom(0, 0.02, 0.1) }),
    victim: fc.nat(PROCESSES * 2),
    waitMs: fc.integer({ min: 200, max: 1_500 }),
    destination: fc.constantFrom('as it is', 'as it is', 'paused', 'limited'),
  }),
  { minLength: 6, maxLength: 10 },
);

describe('an order per person, of processes that are killed', () => {
  let database: TestDatabase;
  let sql: Client;
  let services: BuiltService[];
  let receiver: Receiver;
  let writeKey: string;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    receiver = await Receiver.start();
    ({ writeKey } = await aSource(database.url));
    services = [];
    for (let n = 0; n < PROCESSES; n += 1) services.push(await start());
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await receiver.stop();
    await sql.end();
    await database.drop();
  });

  function start(): Promise<BuiltService> {
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_EGRESS_ALLOW: '127.0.0.1/32',
      CDP_DELIVERY_TIMEOUT_MS: '1000',
      CDP_DELIVERY_BACKOFF_MS: '50',
      CDP_DELIVERY_BACKOFF_CAP_MS: '500',
      CDP_DELIVERY_MAX_ATTEMPTS: '1000',
      CDP_BREAKER_FAILURES: '15',
    });
  }

  async function api(): Promise<ApiClient> {
    return new ApiClient(services[0]!.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
  }

  it('holds, whoever fails, hangs, is paused or merged, and nothing is lost', async () => {
    await fc.assert(fc.asyncProperty(turns, playRound), { numRuns: ROUNDS, endOnFailure: true });
  });

  async function playRound(played: readonly Turn[]): Promise<void> {
    const config = { url: receiver.url };
    const order = { by: 'person', maxWaitSeconds: 3_600, maxWaiting: 10_000 };
    const { body } = await (
      await api()
    ).post('/destinations', {
      name: 'Ordered',
      type: 'webhook',
      config,
      order,
      // Who is who changes nothing but the order.
      filter: { types: ['track'] },
    });
    const people = new OrderedPeople(PEOPLE, Math.random().toString(36).slice(2));
    let mood: Mood = { failing: 0, hanging: 0 };
    receiver.behaviour = (delivery, response) => {
      const { properties } = JSON.parse(delivery.body) as { properties: { key: string } };
      people.noteSent(properties.key);
      const fate = Math.random();
      if (fate < mood.hanging) return;
      const isWell = fate >= mood.hanging + mood.failing;
      if (isWell) people.noteArrived(properties.key);
      response.writeHead(isWell ? 200 : 503).end();
    };
    const over = new AbortController();
    const senders = people.all.map(async (person) => {
      while (!over.signal.aborted) {
        if (person.waiting < MOST_WAITING) await send(person.next());
        await delay(Math.random() * 60);
      }
    });
    for (const turn of played) {
      mood = turn.mood;
      await change(body.id, turn.destination);
      if (turn.victim < services.length) await restart(turn.victim);
      await delay(turn.waitMs);
    }
    over.abort();
    await Promise.all(senders);
    mood = { failing: 0, hanging: 0 };
    await change(body.id, 'as it is');
    await eventually(() => expect(people.missing()).toEqual([]), 120_000);
    expect(people.violations).toEqual([]);
    await eventually(async () => {
      const { rows } = await sql.query(
        `select state, count(*)::int from delivery where destination_id = $1 group by 1`,
        [body.id],
      );
      expect(rows).toEqual([{ state: 'delivered', count: people.count }]);
    });
    await (await api()).delete(`/destinations/${body.id}`);
  }

  /** One request, until it is answered with 200: by whichever process, which may be killed meanwhile. */
  async function send(events: readonly PersonEvent[]): Promise<void> {
    for (;;) {
      const { url } = services[Math.floor(Math.random() * services.length)]!;
      const status = await fetch(`${url}/v1/batch`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ batch: events }),
        signal: AbortSignal.timeout(10_000),
      }).then(
        async (answer) => (await answer.arrayBuffer(), answer.status),
        () => 0,
      );
      if (status === 200) return;
      await delay(50);
    }
  }

  async function restart(victim: number): Promise<void> {
    await services[victim]!.kill();
    services[victim] = await start();
  }

  async function change(destinationId: string, to: Turn['destination']): Promise<void> {
    const enabled = to !== 'paused';
    const rateLimit = to === 'limited' ? { perSecond: 30 } : null;
    const answer = await (await api()).put(`/destinations/${destinationId}`, { enabled, rateLimit });
    expect(answer.status).toBe(200);
  }
});
