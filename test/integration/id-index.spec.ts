import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { EventStore, type StorableEvent } from '../../src/events/event-store';
import { IdIndex } from '../../src/events/id-index';
import { messageKey } from '../../src/events/message-key';
import { eventTable } from '../../src/events/partitions/event-tables';
import { currentPartition, DAY_MS } from '../../src/events/partitions/partition-plan';
import { Partitions } from '../../src/events/partitions/partitions';
import { Config } from '../../src/platform/config/config';
import { compareClocks, newRowId } from '../../src/platform/database/connections/database-clock';
import { Database } from '../../src/platform/database/database';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const SOURCE_ID = randomUUID();
/** Some 130 pages of 8 KB. */
const GROUP = 1_000;
/** Two ranges, where events came in beside each other, and the one that is not full yet. */
const FEW_PAGES = 3 * 16;

describe('the index of event ids', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let store: EventStore;
  let index: IdIndex;
  let other: Client;
  let partition: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const config = Config.from({ CDP_DATABASE_URL: testDatabase.url });
    const partitions = new Partitions(config);
    await partitions.make();
    database = new Database(config);
    store = new EventStore(config, partitions);
    index = new IdIndex(config, store, database);
    partition = currentPartition(eventTable(config), Date.now());
    other = new Client({ connectionString: testDatabase.url });
    await other.connect();
    // Or it does the same, sooner or later.
    await other.query(`alter table ${partition} set (autovacuum_enabled = off)`);
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan']) await other.query(`set enable_${way} = off`);
  });
  afterAll(async () => {
    await Promise.all([other.end(), store.onApplicationShutdown(), database.close()]);
    await testDatabase.drop();
  });

  /** Answers the id of the first of them. */
  const storeGroup = async (): Promise<string> => {
    const events = Array.from({ length: GROUP }, (): StorableEvent => {
      const id = newRowId();
      return {
        id,
        key: messageKey(SOURCE_ID, id),
        sourceId: SOURCE_ID,
        subject: `u:${id}`,
        type: 'track',
        name: 'Bought',
        timestampMs: Date.now(),
        payload: Buffer.from(JSON.stringify({ text: 'x'.repeat(900) })),
      };
    });
    await store.store(events);
    return events[0]!.id;
  };

  /** How many pages of the table are read to find an event. */
  const pagesRead = async (id: string): Promise<number> => {
    const { rows } = await other.query<{ 'QUERY PLAN': object }>(
      `explain (analyze, format json) select payload from event where id = '${id}'`,
    );
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    return [...plan.matchAll(/"(?:Exact|Lossy) Heap Blocks":(\d+)/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  };

  it('follows what is stored, so that few pages are read to find an event', async () => {
    for (let group = 0; group < 3; group += 1) {
      const id = await storeGroup();
      expect(await pagesRead(id)).toBeGreaterThan(100);
      await index.follow();
      expect(await pagesRead(id)).toBeLessThanOrEqual(FEW_PAGES);
    }
  });

  it('is the only one that follows, so that PostgreSQL does not log that it cannot', async () => {
    const { rows } = await other.query<{ reloptions: string[] }>(
      `select c.reloptions from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       where i.indrelid = $1::regclass and a.amname = 'brin'`,
      [partition],
    );
    expect(rows).toEqual([{ reloptions: ['pages_per_range=16', 'autosummarize=off'] }]);
  });

  it('follows by the clock of PostgreSQL, as ids go by it', async () => {
    await compareClocks({ query: async () => ({ rows: [{ now_ms: Date.now() + 7 * DAY_MS }] }) });
    try {
      const id = await storeGroup();
      await index.follow();
      expect(await pagesRead(id)).toBeLessThanOrEqual(FEW_PAGES);
    } finally {
      await compareClocks(other);
    }
  });

  it.each(['share update exclusive', 'share', 'share row exclusive', 'exclusive', 'access exclusive'])(
    'leaves it to who is at the table in %s mode, and follows later',
    async (mode) => {
      const id = await storeGroup();
      await other.query('begin');
      await other.query(`lock table ${partition} in ${mode} mode`);
      // Waits for nobody, or its connection would until the statement is given up, and with it the end of the process.
      await index.follow();
      await other.query('commit');
      expect(await pagesRead(id)).toBeGreaterThan(100);
      await index.follow();
      expect(await pagesRead(id)).toBeLessThanOrEqual(FEW_PAGES);
    },
  );

  it('follows from the beginning when the table was truncated', async () => {
    await other.query('truncate event');
    const id = await storeGroup();
    await index.follow();
    expect(await pagesRead(id)).toBeLessThanOrEqual(FEW_PAGES);
  });
});
