import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { currentPartition, DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { EventFinder } from '../../src/events/reading/event-finder';
import { StoredEvent } from '../../src/events/reading/stored-event.entity';
import { Config } from '../../src/platform/config/config';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import { Database } from '../../src/platform/database/database';
import { ReplicaDatabase } from '../../src/platform/database/replica-database';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;

describe.each([
  ['the primary', (): string | undefined => undefined],
  ['a replica', (url: string): string | undefined => url],
])('finding events on %s', (_, replicaUrl) => {
  let test: TestDatabase;
  let database: Database;
  let replica: ReplicaDatabase;
  let dataSource: DataSource;
  let finder: EventFinder;

  beforeAll(async () => {
    test = await createTestDatabase();
    const config = Config.from({
      CDP_DATABASE_URL: test.url,
      CDP_DATABASE_REPLICA_URL: replicaUrl(test.url),
    });
    database = new Database(config);
    replica = new ReplicaDatabase(config, database);
    dataSource = await new DataSource({
      ...dataSourceOptions(test.url),
      entities: [StoredEvent],
    }).initialize();
    finder = new EventFinder(dataSource.getRepository(StoredEvent), replica, database);
  });
  beforeEach(() => database.query('truncate event'));
  afterAll(async () => {
    await Promise.all([replica.close(), database.close(), dataSource.destroy()]);
    await test.drop();
  });

  const store = (id: string, payload: object = {}): Promise<unknown> =>
    database.query(
      `insert into event (subject, "timestamp", id, source_id, type, payload) values ('u:1', now(), $1, $2, 'identify', $3)`,
      [id, uuidv7(), payload],
    );

  /** A client that keeps everybody from reading a partition of some weeks ago; those after it are empty. */
  async function blockedBefore(nowMs: number): Promise<{ client: Client; partition: string }> {
    const [table] = eventTables(Config.from({}));
    const client = new Client({ connectionString: test.url });
    await client.connect();
    const partition = currentPartition(table!, nowMs - 3 * WEEK_MS);
    await makePartitions(client, [table!], nowMs - 3 * WEEK_MS);
    await client.query('begin');
    await client.query(`lock table ${partition} in access exclusive mode`);
    return { client, partition };
  }

  it('ends the page where there is more than can be read at once, and goes on from there', async () => {
    const nowMs = Date.now();
    const older = lowestId(nowMs - WEEK_MS);
    const newer = lowestId(nowMs - 1);
    await store(older);
    await store(newer);
    const [table] = eventTables(Config.from({}));
    const blocker = new Client({ connectionString: test.url });
    await blocker.connect();
    try {
      // Takes a look for ever, as too many events would.
      await blocker.query('begin');
      await blocker.query(`lock table ${currentPartition(table!, nowMs - WEEK_MS)} in access exclusive mode`);
      const page = await finder.findEvents({}, 10, nowMs);
      expect(page.events.map(({ id }) => id)).toEqual([newer]);
      expect(page.nextBeforeId).toBeDefined();
      await blocker.query('rollback');
      const next = await finder.findEvents({ beforeId: page.nextBeforeId }, 10, nowMs);
      expect(next.events.map(({ id }) => id)).toEqual([older]);
    } finally {
      await blocker.end();
    }
  });

  it('reads no more of what came before a silence than the page needs', async () => {
    const nowMs = Date.now();
    const silentMs = 20 * HOUR_MS;
    const newest = [1, 2].map((n) => lowestId(nowMs - silentMs - n));
    for (const id of newest) await store(id);
    const [table] = eventTables(Config.from({}));
    const blocker = new Client({ connectionString: test.url });
    await blocker.connect();
    try {
      const beforeMs = nowMs - silentMs - WEEK_MS;
      await makePartitions(blocker, [table!], beforeMs);
      await blocker.query('begin');
      await blocker.query(`lock table ${currentPartition(table!, beforeMs)} in access exclusive mode`);
      // A stretch that grew with the silence would wait for it for half of this time.
      const page = await finder.findEvents({}, 2, nowMs, HOUR_MS);
      expect(page.events.map(({ id }) => id)).toEqual(newest);
    } finally {
      await blocker.end();
    }
  });

  it('ends the page where it cannot even be told where the newest are', async () => {
    const nowMs = Date.now();
    const blocker = await blockedBefore(nowMs);
    try {
      const page = await finder.findEvents({}, 10, nowMs, 1_000);
      expect(page.events).toEqual([]);
      expect(page.nextBeforeId).toBeDefined();
    } finally {
      await blocker.client.end();
    }
  });

  it('goes on when a partition is dropped in which the newest were looked for', async () => {
    const nowMs = Date.now();
    const { client, partition } = await blockedBefore(nowMs);
    try {
      const found = finder.findEvents({}, 10, nowMs, HOUR_MS);
      await eventually(async () => {
        const waiting = await client.query(
          'select from pg_locks where not granted and relation = $1::regclass',
          [partition],
        );
        expect(waiting.rowCount).toBe(1);
      });
      await client.query(`drop table ${partition}`);
      await client.query('commit');
      expect((await found).events).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('gives no more than 4 MB at once, and all of it page by page', async () => {
    const nowMs = Date.now();
    const ids = Array.from({ length: 10 }, (__, n) => lowestId(nowMs - n - 1));
    for (const id of ids) await store(id, { text: 'x'.repeat(1024 * 1024) });
    const pages: number[] = [];
    const seen: string[] = [];
    const fromMs = nowMs - ids.length;
    for (let beforeId: string | undefined = lowestId(nowMs); beforeId !== undefined;) {
      const page = await finder.findEvents({ beforeId, fromMs }, 1_000, nowMs);
      pages.push(page.events.length);
      seen.push(...page.events.map(({ id }) => id));
      beforeId = page.nextBeforeId;
    }
    expect(seen).toEqual(ids);
    expect(pages.slice(0, 2)).toEqual([4, 4]);
  });
});

it('finds by its key what the replica does not have yet', async () => {
  const [test, behind] = [await createTestDatabase(), await createTestDatabase()];
  const config = Config.from({ CDP_DATABASE_URL: test.url, CDP_DATABASE_REPLICA_URL: behind.url });
  const database = new Database(config);
  const replica = new ReplicaDatabase(config, database);
  const dataSource = await new DataSource({
    ...dataSourceOptions(test.url),
    entities: [StoredEvent],
  }).initialize();
  try {
    const finder = new EventFinder(dataSource.getRepository(StoredEvent), replica, database);
    const [id, key] = [lowestId(Date.now()), uuidv7()];
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, payload) values ('u:1', now(), $1, $2, 'identify', '{}')`,
      [id, uuidv7()],
    );
    const epoch = Math.floor(Date.now() / (config.events.dedupWindowDays * DAY_MS));
    await database.query('insert into message_id (key, epoch, event_id) values ($1, $2, $3)', [
      key,
      epoch,
      id,
    ]);
    expect((await finder.findEvent(id))?.id).toBe(id);
    expect(await finder.findEventsOfMessages([key])).toEqual([id]);
    const { events } = await finder.findEvents({ ids: [id] }, 10, Date.now());
    expect(events.map((event) => event.id)).toEqual([id]);
  } finally {
    await Promise.all([replica.close(), database.close(), dataSource.destroy()]);
    await Promise.all([test.drop(), behind.drop()]);
  }
});
