import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const PEOPLE = 6_000;
const KILLS = 3;
const TOLD_PEOPLE = 20;
const JWT_SECRET = 'test-secret-of-some-length';

describe('computed traits that are kept', () => {
  let test: TestDatabase;
  let database: Client;
  let service: BuiltService;
  let env: Record<string, string>;

  beforeAll(async () => {
    buildService();
    test = await createTestDatabase();
    database = new Client({ connectionString: test.url });
    await database.connect();
    env = {
      CDP_DATABASE_URL: test.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
    };
    await database.query(
      `insert into profile (subject, event_count)
       select 'u:' || lpad(n::text, 6, '0'), 2 from generate_series(1, ${PEOPLE}) n`,
    );
    service = await startBuiltService(env);
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:' || lpad(n::text, 6, '0'), now() - interval '1 hour',
         (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n * 2 + twice), 12, '0'))::uuid,
         gen_random_uuid(), 'track', 'Letter', '{"type":"track","event":"Letter"}'
       from generate_series(1, ${PEOPLE}) n, generate_series(1, 2) twice`,
    );
  });
  afterAll(async () => {
    await service.stop();
    await database.end();
    await test.drop();
  });

  it('are computed on from where they were when the process is killed in the middle of it', async () => {
    const api = await management();
    const trait = { name: 'letters', event: 'Letter', aggregate: 'count', within: '30d' };
    expect(await api.post('/computed-traits', trait)).toMatchObject({ status: 201 });
    const destination = {
      name: 'Paused',
      type: 'webhook',
      config: { url: 'http://127.0.0.1:9' },
      filter: { types: [] },
      notices: ['trait_changed'],
      enabled: false,
    };
    expect(await api.post('/destinations', destination)).toMatchObject({ status: 201 });
    await eventually(async () => expect((await values()).length).toBeGreaterThan(0));
    expect(await service.kill()).toBe('SIGKILL');
    const before = await values();
    expect(before.length).toBeLessThan(PEOPLE);
    service = await startBuiltService(env);
    await untilLive();
    // What was computed before was not computed again.
    expect(await values()).toEqual(expect.arrayContaining(before.slice(0, 1_000)));
    const { rows } = await database.query(
      'select distinct value, count(*)::integer from computed_value group by 1',
    );
    expect(rows).toEqual([{ value: 2, count: PEOPLE }]);
    expect(await told()).toEqual([]);
  });

  it('are told of once when the process is killed in the middle of events', async () => {
    const { writeKey } = await aSource(test.url);
    let sent = 0;
    const send = async (messageId: string): Promise<void> => {
      const userId = `told-${sent % TOLD_PEOPLE}`;
      const timestamp = new Date().toISOString();
      const batch = [{ type: 'track', event: 'Letter', userId, timestamp, messageId }];
      await eventually(async () => {
        const events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
        expect(await events.post('/v1/batch', { batch })).toMatchObject({ status: 200 });
      });
      sent += 1;
    };
    const progress = { kills: 0 };
    const pour = async (from: string): Promise<void> => {
      for (let count = 0; progress.kills < KILLS; count += 1) await send(`${from}-${count}`);
    };
    const kill = async (): Promise<void> => {
      for (; progress.kills < KILLS; progress.kills += 1) {
        const reached = (progress.kills + 1) * 100;
        await eventually(() => expect(sent).toBeGreaterThan(reached));
        expect(await service.kill()).toBe('SIGKILL');
        service = await startBuiltService(env);
      }
    };
    await Promise.all([pour('a'), pour('b'), pour('c'), kill()]);
    await eventually(
      async () => expect((await database.query('select from inbox')).rows).toEqual([]),
      60_000,
    );
    const { rows: counted } = await database.query<{ subject: string; count: number }>(
      `select subject, count(*)::integer from event where subject like 'u:told-%' group by 1`,
    );
    expect(counted).toHaveLength(TOLD_PEOPLE);
    const changes = await told();
    for (const { subject, count } of counted) {
      const ofPerson = changes.filter((change) => change.subject === subject);
      expect({ subject, previous: ofPerson.map(({ previous }) => previous) }).toEqual({
        subject,
        previous: [0, ...ofPerson.slice(0, -1).map(({ value }) => value)],
      });
      expect({ subject, value: ofPerson.at(-1)?.value }).toEqual({ subject, value: count });
    }
  });

  async function management(): Promise<ApiClient> {
    return new ApiClient(service.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
  }

  async function values(): Promise<{ subject: string; xmin: string }[]> {
    const { rows } = await database.query<{ subject: string; xmin: string }>(
      'select subject, xmin::text from computed_value order by subject',
    );
    return rows;
  }

  async function untilLive(): Promise<void> {
    await eventually(async () =>
      expect((await database.query('select state from kept_trait')).rows).toEqual([{ state: 'live' }]),
    );
  }

  async function told(): Promise<{ subject: string; value: number; previous: number }[]> {
    const { rows } = await database.query<{ subject: string; value: number; previous: number }>(
      `select subject, payload -> 'properties' -> 'value' as value, payload -> 'properties' -> 'previous' as previous
       from delivery where payload ->> 'event' = 'Trait Changed' order by payload ->> 'timestamp', id`,
    );
    return rows;
  }
});
