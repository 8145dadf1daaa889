import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { Office } from '../support/office';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'test-secret-of-some-length';
const ROUNDS = 3;
const EVENTS = 30;
/** One event in so many is given up. */
const REFUSED = 3;

describe('notices of workers that are killed', () => {
  let database: TestDatabase;
  let sql: Client;
  let front: BuiltService;
  let worker: BuiltService;
  let office: Office;
  let shop: Receiver;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    [office, shop] = [await Office.open(), await Receiver.start()];
    shop.behaviour = ({ body }, response) => {
      const { messageId } = JSON.parse(body) as { messageId: string };
      response.writeHead(Number(messageId.slice(2)) % REFUSED === 0 ? 400 : 200).end();
    };
    [front, worker] = [await start('management,events'), await start('worker')];
  });
  afterAll(async () => {
    await Promise.all([front.stop(), worker.stop()]);
    await Promise.all([office.close(), shop.stop()]);
    await sql.end();
    await database.drop();
  });

  function start(roles: string): Promise<BuiltService> {
    return startBuiltService({
      NODE_ENV: 'test',
      CDP_ROLES: roles,
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_EGRESS_ALLOW: '127.0.0.1/32',
      CDP_DELIVERY_MAX_ATTEMPTS: '1',
      CDP_DELIVERY_GRACE_MS: '500',
    });
  }

  it('tell of each delivery that was given up exactly once', async () => {
    const api = new ApiClient(front.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    await office.ask(api, ['dead_letters']);
    const config = { url: shop.url };
    expect(await api.post('/destinations', { name: 'Shop', type: 'webhook', config })).toMatchObject({
      status: 201,
    });
    const { writeKey } = await aSource(database.url);
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = Array.from({ length: EVENTS }, (_, n) => `m-${round * EVENTS + n}`);
      expect(await sendTracks({ url: front.url, writeKey }, ids)).toBe(200);
      const given = (round * EVENTS) / REFUSED;
      await eventually(async () => expect(await dead()).toBeGreaterThan(given), 30_000);
      await worker.kill();
      await letAnHourPass();
      worker = await start('worker');
    }
    await eventually(async () => {
      await letAnHourPass();
      const counts = new Map(office.told.map(({ messageId, properties }) => [messageId, properties.count]));
      const told = [...counts.values()].reduce<number>((sum, count) => sum + Number(count), 0);
      expect([await dead(), told]).toEqual(Array.from({ length: 2 }, () => (ROUNDS * EVENTS) / REFUSED));
    }, 60_000);
    const { rows } = await sql.query('select * from newly_dead');
    expect(rows).toEqual([]);
  });

  async function dead(): Promise<number> {
    const { rows } = await sql.query(`select count(*)::int as count from delivery where state = 'dead'`);
    return rows[0].count;
  }

  /** Whoever was told of dead letters is left alone for an hour. */
  function letAnHourPass(): Promise<unknown> {
    return sql.query(`update told_state set at = at - interval '1 hour'`);
  }
});
