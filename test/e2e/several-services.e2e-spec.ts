import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Partitions } from '../../src/events/partitions/partitions';
import { lockKeySql } from '../../src/platform/database/transactions/advisory-lock';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { inSchema } from '../../src/platform/database/connections/schema';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { eventually } from '../support/eventually';
import { Neighbour } from '../support/neighbour';
import { createEmptyDatabase, createTestSchema, type TestDatabase } from '../support/test-database';
import { queueKinds } from '../support/test-service';

/** What every evaluation of segments holds shared; see `segments/definitions/revision.ts`. */
const EVALUATION_LOCK = "'segment definitions'";
const DAY_MS = 86_400_000;

describe.each(queueKinds())('two services in schemas of one database, queues on %s', (queue) => {
  let database: TestDatabase;
  let urls: string[];
  let eu: Neighbour;
  let us: Neighbour;
  let observer: Client;
  /** What PostgreSQL notifies of, whoever listens. */
  const notified: string[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    // At once, as their first starts may be.
    urls = await Promise.all(['shop_eu', 'shop_us'].map((schema) => createTestSchema(database.url, schema)));
    observer = await connect(database.url);
    observer.on('notification', ({ payload = '' }) => notified.push(payload));
    await observer.query('listen bullmq_jobs');
    await observer.query('listen bullmq_events');
    eu = await Neighbour.start(urls[0]!, queue);
    us = await Neighbour.start(urls[1]!, queue);
  });
  afterAll(async () => {
    await Promise.all([eu.stop(), us.stop()]);
    await observer.end();
    await database.drop();
  });

  it('process and deliver their own events only', async () => {
    const statuses = await Promise.all([
      eu.send(['ada', 'bob'], 3),
      us.send(['ada', 'cyd'], 5),
      eu.send(['ada'], 2),
    ]);
    expect(statuses).toEqual([200, 200, 200]);
    await Promise.all([eu.settle(), us.settle()]);
    expect([...eu.strangers, ...us.strangers]).toEqual([]);
    expect((await eu.api.get('/profiles/ada')).body).toMatchObject({ eventCount: 7 });
    expect((await us.api.get('/profiles/ada')).body).toMatchObject({ eventCount: 6 });
    expect((await us.api.get('/profiles/bob')).status).toBe(404);
    await eventually(async () => {
      expect((await eu.api.get(`/segments/${eu.segment.id}/members`)).body).toEqual(['ada', 'bob']);
      expect((await us.api.get(`/segments/${us.segment.id}/members`)).body).toEqual(['ada', 'cyd']);
    });
    expect((await us.api.get(`/segments/${eu.segment.id}`)).status).toBe(404);
    expect((await us.api.get('/sources')).body).toHaveLength(1);
  });

  it('take the write keys of their own sources only, from the moment these change', async () => {
    const other = (await eu.api.post('/sources', { name: 'Other' })).body;
    const sendWith = async ({ service }: Neighbour): Promise<number> =>
      (
        await fetch(`${service.url}/v1/track`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${other.writeKey}:`)}` },
          body: JSON.stringify({ type: 'track', event: 'Seen', userId: 'dan', messageId: `by-${queue}` }),
        })
      ).status;
    expect(await sendWith(eu)).toBe(200);
    expect(await sendWith(us)).toBe(401);
    expect((await eu.api.delete(`/sources/${other.id}`)).status).toBe(204);
    await eventually(async () => expect(await sendWith(eu)).toBe(401));
    expect(await us.send(['ada'])).toBe(200);
  });

  it('do not wait for the locks of each other', async () => {
    const locker = await connect(urls[0]!);
    try {
      await locker.query('begin');
      await locker.query(`select pg_advisory_xact_lock(${lockKeySql(EVALUATION_LOCK)})`);
      const before = new Set(eu.received).size;
      expect(await eu.send(['ada'])).toBe(200);
      expect(await us.send(['ada'])).toBe(200);
      await us.settle();
      // It is the lock that it says: the one who has it holds up its own service.
      expect(new Set(eu.received).size).toBe(before);
      await locker.query('commit');
    } finally {
      await locker.end();
    }
    await eu.settle();
  });

  it('are not told of the jobs of each other', async () => {
    for (const { service } of [eu, us]) {
      const hint = { id: randomUUID(), name: 'hint', data: { inboxIds: [randomUUID()] } };
      expect(await service.app.get(JobDispatcher).dispatch('events', [hint])).toBe(true);
    }
    const told = queue === 'redis' ? [] : ['shop_eu.events', 'shop_us.events'];
    await eventually(() => expect([...new Set(notified)]).toEqual(expect.arrayContaining(told)));
    expect(notified.filter((name) => queue === 'redis' || !/^shop_(?:eu|us)\./.test(name))).toEqual([]);
  });

  it('delete people of their own only', async () => {
    expect((await eu.api.delete('/profiles/ada')).status).toBe(200);
    expect((await eu.api.get('/profiles/ada')).status).toBe(404);
    expect((await us.api.get('/profiles/ada')).status).toBe(200);
  });

  it('drop partitions of their own only', async () => {
    const partitionsOf = async (schema: string): Promise<number> => {
      const { rows } = await observer.query<{ count: number }>(
        'select count(*)::int as count from pg_inherits where inhparent = $1::regclass',
        [`${schema}.event`],
      );
      return rows[0]!.count;
    };
    const before = await partitionsOf('shop_us');
    await eu.settle();
    const { dropped } = await eu.service.app.get(Partitions).maintain(Date.now() + 800 * DAY_MS);
    expect(dropped.some((name) => name.startsWith('event_'))).toBe(true);
    expect(await partitionsOf('shop_us')).toBe(before);
    expect(await us.send(['cyd'])).toBe(200);
    await us.settle();
  });

  it('show their queues under the same names as always', async () => {
    const { body } = await eu.api.get('/queues/api/queues');
    const shown = body.queues as { name: string; counts: { completed: number } }[];
    expect(shown.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['events', 'deliveries', 'dead-letters']),
    );
    expect((await eu.api.send('PUT', '/queues/api/queues/events/pause')).status).toBe(200);
    expect((await eu.api.get('/queues/api/queues?activeQueue=events')).body.queues).toContainEqual(
      expect.objectContaining({ name: 'events', isPaused: true }),
    );
    expect((await us.api.get('/queues/api/queues?activeQueue=events')).body.queues).toContainEqual(
      expect.objectContaining({ name: 'events', isPaused: false }),
    );
    expect((await eu.api.send('PUT', '/queues/api/queues/events/resume')).status).toBe(200);
  });

  it('leave nothing outside of their schemas', async () => {
    const { rows } = await observer.query<{ name: string }>(`
      select distinct nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(['bullmq_shop_eu', 'bullmq_shop_us', 'shop_eu', 'shop_us']);
  });
});

describe('the schema of an address', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  it('is made, also with the name of a word of SQL, and has its tables', async () => {
    const pool = openPool({ connectionString: await createTestSchema(database.url, 'order'), max: 1 });
    try {
      const { rows } = await pool.query(`select 'event'::regclass::oid = '"order".event'::regclass as own`);
      expect(rows).toEqual([{ own: true }]);
    } finally {
      await pool.end();
    }
  });

  it('refuses a connection that is in another, because its tables would be those of another service', async () => {
    const pool = openPool({ connectionString: inSchema(database.url, 'nowhere'), max: 1 });
    try {
      await expect(pool.query('select 1')).rejects.toThrow(
        /is in no schema and not in nowhere \(CDP_DATABASE_SCHEMA\).*set search_path = nowhere/,
      );
    } finally {
      await pool.end();
    }
  });
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
