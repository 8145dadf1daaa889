import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import type { EventKey, Subject } from '../../src/events/customer-event';
import type { EventKeyArrays } from '../../src/events/event-key-arrays';
import { EventStore, type StorableEvent } from '../../src/events/event-store';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { messageKey } from '../../src/events/message-key';
import { DAY_MS, periodOf } from '../../src/events/partitions/partition-plan';
import { readNewestEvents } from '../../src/events/reading/newest-events';
import { Partitions } from '../../src/events/partitions/partitions';
import { Config } from '../../src/platform/config/config';
import {
  bigintArray,
  intArray,
  jsonArray,
  textArray,
  timestampArray,
  uuidArray,
} from '../../src/platform/database/statements/binary-arrays';
import { Database } from '../../src/platform/database/database';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { uncopiedQuery } from '../../src/platform/database/connections/uncopied-query';
import { temporaryFolder } from '../support/built-service';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const WINDOW_DAYS = 7;
const SOURCE_ID = randomUUID();

function anEvent(messageId: string, changes: { subject?: Subject; payload?: string } = {}): StorableEvent {
  const id = uuidv7();
  const key = messageKey(SOURCE_ID, messageId);
  return {
    id,
    key,
    sourceId: SOURCE_ID,
    subject: changes.subject ?? `u:${messageId}`,
    type: 'track',
    name: 'Bought',
    timestampMs: Date.parse('2026-11-20T12:00:00.000Z'),
    payload: Buffer.from(changes.payload ?? JSON.stringify({ messageId })),
  };
}

describe('the event store', () => {
  let testDatabase: TestDatabase;
  let config: Config;
  let database: Database;
  let store: EventStore;
  let client: Client;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    config = Config.from({ CDP_DATABASE_URL: testDatabase.url, CDP_DEDUP_WINDOW_DAYS: String(WINDOW_DAYS) });
    database = new Database(config);
    store = new EventStore(config, new Partitions(config));
    client = new Client({ connectionString: testDatabase.url });
    await client.connect();
    // Tests of the window look three epochs ahead.
    await makePartitions(client, eventTables(config), Date.now() + 2 * WINDOW_DAYS * DAY_MS);
  });
  afterAll(async () => {
    await Promise.all([client.end(), store.onApplicationShutdown(), database.close()]);
    await testDatabase.drop();
  });

  const countOf = async (subject: string): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int from event where subject = $1',
      [subject],
    );
    return rows[0]?.count ?? 0;
  };

  /** Seconds from PostgreSQL's now to `offsetSeconds` after the end of the current epoch. */
  const secondsToBorder = (offsetSeconds: number): number => {
    const end = (periodOf(WINDOW_DAYS, Date.now()) + 1) * WINDOW_DAYS * DAY_MS;
    return (end - Date.now()) / 1000 + offsetSeconds;
  };

  it('stores what is new, in one inbox row, and names the rest', async () => {
    const first = [anEvent('a'), anEvent('b')];
    const { inboxId, duplicates } = await store.store(first);
    expect(duplicates).toEqual([]);
    const { rows } = await client.query<{ event_ids: string[] }>(
      'select event_ids from inbox where id = $1',
      [inboxId],
    );
    expect(rows[0]?.event_ids).toEqual(first.map(({ id }) => id));
    const again = [anEvent('b'), anEvent('c'), anEvent('a')];
    const second = await store.store(again);
    expect(new Set(second.duplicates)).toEqual(new Set([again[0]?.id, again[2]?.id]));
    expect(second.inboxId).toBeDefined();
    expect(await store.store([anEvent('c')])).toMatchObject({ inboxId: undefined });
  });

  it('knows an id for at least one window, at most two', async () => {
    const storeAhead = async (windows: number): Promise<boolean> =>
      (await store.store([anEvent('window')], windows * WINDOW_DAYS * 86_400)).inboxId !== undefined;
    expect(await storeAhead(0)).toBe(true);
    expect(await storeAhead(1)).toBe(false);
    expect(await storeAhead(2)).toBe(true);
  });

  it.each([
    ['long before', -3_600],
    ['just before', -1],
  ])('knows an id after the border of epochs that came %s it', async (name, offsetSeconds) => {
    const messageId = `border-${name}`;
    expect((await store.store([anEvent(messageId)], secondsToBorder(offsetSeconds))).duplicates).toEqual([]);
    expect((await store.store([anEvent(messageId)], secondsToBorder(-0.5))).inboxId).toBeUndefined();
    expect((await store.store([anEvent(messageId)], secondsToBorder(1))).inboxId).toBeUndefined();
    expect(await countOf(`u:${messageId}`)).toBe(1);
  });

  it('knows an id that came after the border when the clock has gone back before it', async () => {
    expect((await store.store([anEvent('back')], secondsToBorder(1))).duplicates).toEqual([]);
    expect((await store.store([anEvent('back')], secondsToBorder(-3_600))).inboxId).toBeUndefined();
    expect(await countOf('u:back')).toBe(1);
  });

  it('stores an event once when statements race across the border of epochs', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `race-${index}`);
    const before = ids.map((messageId) => anEvent(messageId, { subject: 'u:race' }));
    const after = ids.toReversed().map((messageId) => anEvent(messageId, { subject: 'u:race' }));
    const results = await Promise.all([
      store.store(before, secondsToBorder(-1)),
      store.store(after, secondsToBorder(1)),
    ]);
    expect(results[0].duplicates.length + results[1].duplicates.length).toBe(ids.length);
    expect(await countOf('u:race')).toBe(ids.length);
  });

  it('never deadlocks when statements share many ids', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = Array.from({ length: 200 }, (_, index) => `dead-${round}-${index}`);
      const subject = `u:dead-${round}` as const;
      await Promise.all([
        store.store(ids.map((messageId) => anEvent(messageId, { subject }))),
        store.store(ids.toReversed().map((messageId) => anEvent(messageId, { subject }))),
      ]);
      expect(await countOf(subject)).toBe(ids.length);
    }
  });

  it('writes arrays that PostgreSQL reads as they are', async () => {
    const texts = ['', 'a', 'é€😀', '{"x",NULL}', undefined, '\\'];
    const times = [0, -1, 946_684_799_999, 946_684_800_000, 1_795_000_000_123, 253_402_300_799_999];
    const uuids = [randomUUID(), uuidv7(), randomUUID().replaceAll('-', '')];
    const jsons = ['{ "a": 1 }', '[]'];
    const ints = [0, -1, 2_147_483_647];
    const longs = [0, 1, -1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const { rows } = await client.query(
      `select $1::text[] as texts, $2::timestamptz[] as times, $3::uuid[] as uuids, $4::json[]::text[] as jsons,
        $5::text[] as none, $6::json[] as "noJson", $7::int[] as ints, $8::bigint[]::text[] as longs`,
      [
        textArray(texts),
        timestampArray(times),
        uuidArray(uuids),
        jsonArray(jsons.map((json) => Buffer.from(json))),
        textArray([]),
        jsonArray([]),
        intArray(ints),
        bigintArray(longs),
      ],
    );
    expect(rows).toEqual([
      {
        texts: texts.map((text) => text ?? null),
        times: times.map((time) => new Date(time)),
        uuids: uuids.map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
        jsons,
        none: [],
        noJson: [],
        ints,
        longs: longs.map(String),
      },
    ]);
  });

  it('writes texts of any length and any characters', async () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'binary-ascii' }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary-ascii', minLength: 200, maxLength: 400 }),
        fc.string({ unit: fc.constantFrom('e', '\u00e9', '\u00ff') }),
      )
      .map((any) => any.replaceAll('\0', '0'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text, { nil: undefined })), async (texts) => {
        const { rows } = await client.query('select $1::text[] as texts', [textArray(texts)]);
        expect(rows).toEqual([{ texts: texts.map((one) => one ?? null) }]);
      }),
    );
  });

  it.each([10, 100_000])(
    'sends values of %i bytes as they are, and goes on after an error',
    async (bytes) => {
      const text = 'select $1::bytea as b, $2::text as t, $3::int / $4::int as n, $5::text as missing';
      const values = (divisor: number) => [Buffer.alloc(bytes, 'ä'), 'ö'.repeat(bytes), 6, divisor, null];
      const ask = (divisor: number, name?: string) =>
        new Promise((resolve, reject) => {
          const query = uncopiedQuery({ name, text, values: values(divisor) });
          query.on('row', resolve).on('error', reject);
          client.query(query);
        });
      const row = { b: Buffer.alloc(bytes, 'ä'), t: 'ö'.repeat(bytes), n: 2, missing: null };
      expect(await ask(3)).toEqual(row);
      expect(await ask(3, 'uncopied')).toEqual(row);
      await expect(ask(0, 'uncopied')).rejects.toMatchObject({ code: '22012' });
      expect(await ask(3, 'uncopied')).toEqual(row);
    },
  );

  it('reads events by key, in the order of the keys', async () => {
    const events = ['x', 'y', 'z'].map((messageId) =>
      anEvent(messageId, { payload: `{ "b":1,"a":"${messageId}"}` }),
    );
    await store.store(events);
    const keys = events.map(({ id }, index) => ({
      subject: `u:${'xyz'[index]}` as const,
      timestamp: '2026-11-20T12:00:00.000Z',
      id,
    }));
    const [x, y, z] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
    const read = await store.readEvents([z, { ...y, id: uuidv7() }, x], database);
    expect(read).toEqual([
      { b: 1, a: 'z', id: z.id, sourceId: SOURCE_ID, subject: 'u:z' },
      { b: 1, a: 'x', id: x.id, sourceId: SOURCE_ID, subject: 'u:x' },
    ]);
    expect((await store.readPayloads([y], database)).get(y.id)).toEqual({
      sourceId: expect.any(String),
      payload: '{ "b":1,"a":"y"}',
    });
  });

  it('reads events by the arrays of inbox rows, whatever the ids contain', async () => {
    const names = ['{"a",b}', 'a\\"b', ' NULL ', 'null', ',', "é'😀\t", 'x'.repeat(512)];
    const timestamp = '2026-11-20T12:00:00.000Z';
    const keys: EventKey[] = [];
    for (const part of [names.slice(0, 3), names.slice(3)]) {
      const events = part.map((name) => anEvent(`of ${name}`, { subject: `u:${name}`, payload: '{}' }));
      await store.store(events);
      keys.push(...events.map(({ id, subject }) => ({ id, subject, timestamp })));
    }
    const rows = await database.query<EventKeyArrays & Record<string, string>>(
      `select subjects::text, timestamps::text, event_ids::text as ids, event_ids[1] as "lowestId",
        event_ids[cardinality(event_ids)] as "highestId"
       from inbox where subjects && $1::text[] order by id`,
      [keys.map(({ subject }) => subject)],
    );
    const read = await store.readEventsOf(rows, database);
    expect(read.map(({ id, subject }) => ({ id, subject, timestamp }))).toEqual(keys);
    expect((await store.readEvents(keys, database)).map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
  });

  it('reads as many of the first events as have so many bytes, or one', async () => {
    const payload = (length: number): string => JSON.stringify({ text: 'x'.repeat(length - 11) });
    const events = [1_000, 1_000, 3_000].map((length) =>
      anEvent(`large ${length}`, { payload: payload(length) }),
    );
    await store.store(events);
    const keys = events.map(({ id, subject }) => ({ id, subject, timestamp: '2026-11-20T12:00:00.000Z' }));
    const read = async (maxBytes: number): Promise<[number, string | undefined]> => {
      const first = await store.readFirstEvents(keys, maxBytes, database);
      return [first.events.length, first.firstLeft];
    };
    expect(await read(5_000)).toEqual([3, undefined]);
    expect(await read(4_999)).toEqual([2, keys[2]?.id]);
    expect(await read(2_000)).toEqual([2, keys[2]?.id]);
    expect(await read(10)).toEqual([1, keys[1]?.id]);
  });

  it('reads fewer of the newest events when they are large', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(1_900_000) });
    const events = Array.from({ length: 3 }, (_, index) => anEvent(`newest ${index}`, { payload }));
    await store.store(events);
    const newest = await readNewestEvents(3, database);
    expect(newest.map(({ id }) => id)).toEqual([events[2]?.id, events[1]?.id]);
  });

  it('makes a partition that is missing', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'message_id'::regclass`,
    );
    for (const { name } of rows) await client.query(`drop table ${name}`);
    expect((await store.store([anEvent('healed')])).inboxId).toBeDefined();
  });
});

describe('a repeat of events, beside a synchronous standby that is away', () => {
  const folder = temporaryFolder();
  let postgres: EmbeddedPostgres;
  let store: EventStore;
  let admin: Client;

  beforeAll(async () => {
    chmodSync(folder.path, 0o755); // PostgreSQL runs as another user when the tests run as root.
    postgres = await startEmbeddedPostgres({ directory: join(folder.path, 'postgres') });
    await runMigrations(postgres.url);
    const config = Config.from({ CDP_DATABASE_URL: postgres.url });
    const partitions = new Partitions(config);
    await partitions.maintain();
    store = new EventStore(config, partitions);
    admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('set synchronous_commit = local');
  });
  afterAll(async () => {
    await store.onApplicationShutdown();
    await admin.end();
    await postgres.stop();
    folder.remove();
  });

  const setStandby = async (names: string): Promise<void> => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await admin.query<{ names: string }>('show synchronous_standby_names');
      expect(rows).toEqual([{ synchronous_standby_names: names }]);
    });
  };
  /** The processes whose commit waits for the standby. */
  const waiting = async (): Promise<number[]> => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    return rows.map(({ pid }) => pid);
  };

  it('is answered no sooner than the first copy is on the standby', async () => {
    await setStandby('away');
    const first = store.store([anEvent('hangs')]).catch((error: unknown) => error);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    // The connection ends, the client is told 503; the event is committed here and nowhere else.
    await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await waiting()]);
    expect(await first).toBeInstanceOf(Error);

    let answered = false;
    const repeat = store.store([anEvent('hangs')]).finally(() => (answered = true));
    await eventually(async () => expect([answered, await waiting()]).toEqual([false, [expect.any(Number)]]));
    await setStandby('');
    expect(await repeat).toMatchObject({ inboxId: undefined, duplicates: [expect.any(String)] });
  });
});
