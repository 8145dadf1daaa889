import { Client } from 'pg';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'test-secret-of-some-length';
const ROUNDS = 5;
const REQUESTS = 300;
const AT_ONCE = 20;

describe('webhooks of others', () => {
  let database: TestDatabase;
  let sql: Client;
  let front: BuiltService;
  let workers: BuiltService[];

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    front = await start('management,events');
    workers = [await start('worker'), await start('worker')];
  });
  afterAll(async () => {
    await Promise.all([front, ...workers].map((service) => service.stop()));
    await sql.end();
    await database.drop();
  });

  function start(roles: string): Promise<BuiltService> {
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_LOG_LEVEL: 'debug',
      CDP_ROLES: roles,
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
    });
  }

  it.each([
    ['one event', 1, undefined],
    [
      'the events that a transformation makes of it',
      2,
      `export const transform = ({ body }) => [0, 1].map((part) =>
         ({ type: 'track', event: 'ping', userId: 'u' + body.n % 7, properties: { n: 2 * body.n + part } }));`,
    ],
  ])('are each %s, whatever is killed while they come and are made events of', async (_what, each, code) => {
    await sql.query('truncate event, hook_request, profile');
    const api = new ApiClient(front.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    const transformationId =
      code === undefined ? null : (await api.post('/transformations', { name: 'Hooks', code })).body.id;
    const source = { name: `Hooks ${each}`, kind: 'webhook', untransformed: 'track', transformationId };
    const { writeKey } = (await api.post('/sources', source)).body;
    const acknowledged = new Set<number>();
    let sent = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      const last = (round + 1) * REQUESTS;
      const send = async (): Promise<void> => {
        while (sent < last) {
          const n = (sent += 1);
          const answer = await fetch(`${front.url}/v1/hooks/${writeKey}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: `{"type":"ping","n":${n}}`,
          }).catch(() => undefined);
          if (answer?.status === 200) acknowledged.add(n);
        }
      };
      const sending = Promise.all(Array.from({ length: AT_ONCE }, send));
      // In the middle of it: some are stored, and some of those are events.
      await eventually(async () => expect(await events()).toBeGreaterThan(0));
      await eventually(() => expect(sent).toBeGreaterThan(last - REQUESTS / 2));
      await Promise.all(workers.map((worker) => worker.kill()));
      if (round % 2 === 1) await front.kill();
      await sending;
      // The leases of those who were killed would run out by themselves, after a minute.
      await sql.query('update hook_request set due_at = now() where waiting');
      if (round % 2 === 1) front = await start('management,events');
      workers = [await start('worker'), await start('worker')];
    }

    await eventually(async () => {
      const { rows } = await sql.query('select from hook_request');
      expect(rows).toHaveLength(0);
    }, 60_000);
    expect(front.output()).toContain('/v1/hooks/:writeKey');
    expect(front.output()).not.toContain(writeKey);
    const { rows } = await sql.query<{ n: number }>(
      `select (payload -> 'properties' ->> 'n')::int as n from event`,
    );
    const stored = rows.map(({ n }) => n);
    expect(new Set(stored).size).toBe(stored.length);
    const expected = [...acknowledged].flatMap((n) =>
      code === undefined ? [n] : [0, 1].map((part) => 2 * n + part),
    );
    const missing = expected.filter((n) => !stored.includes(n));
    expect(missing).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan((ROUNDS * REQUESTS) / 2);
    await eventually(async () => {
      const profile = await sql.query<{ count: number }>(
        'select sum(event_count)::int as count from profile',
      );
      expect(profile.rows[0]?.count).toBe(stored.length);
    });
  });

  async function events(): Promise<number> {
    const { rows } = await sql.query<{ count: number }>('select count(*)::int as count from event');
    return rows[0]?.count ?? 0;
  }
});
