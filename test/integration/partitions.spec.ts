import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DeliveryTables } from '../../src/delivery/upkeep/delivery-tables';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { Partitions } from '../../src/events/partitions/partitions';
import { BootError } from '../../src/platform/boot/boot-error';
import { Config } from '../../src/platform/config/config';
import { ClockWatch } from '../../src/platform/database/connections/clock-watch';
import { Database } from '../../src/platform/database/database';
import {
  compareClocks,
  databaseNowMs,
  newRowId,
} from '../../src/platform/database/connections/database-clock';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const RETENTION_DAYS = 30;

describe('partitions', () => {
  let testDatabase: TestDatabase;
  let config: Config;
  let client: Client;
  let warnings: jest.SpyInstance;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    config = Config.from({
      CDP_DATABASE_URL: testDatabase.url,
      CDP_EVENT_RETENTION_DAYS: String(RETENTION_DAYS),
      CDP_DELIVERY_RETENTION_DAYS: String(RETENTION_DAYS),
    });
    client = await connect();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    await aMaintainer().maintain();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await compareClocks(client);
    await client.end();
    await testDatabase.drop();
  });

  const connect = async (): Promise<Client> => {
    const connected = new Client({ connectionString: testDatabase.url });
    await connected.connect();
    return connected;
  };
  /** As each process has one. */
  const aMaintainer = (): Partitions => {
    const partitions = new Partitions(config);
    void new DeliveryTables(partitions, config);
    return partitions;
  };
  const partitionsOf = async (table: string): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const partitionsOfAll = async (): Promise<string[]> => [
    ...(await partitionsOf('event')),
    ...(await partitionsOf('message_id')),
    ...(await partitionsOf('delivery')),
  ];
  /** The partition of `table` that takes what comes now, or what comes so many days later. */
  const partitionAt = async (table: string, afterDays = 0): Promise<string> => {
    const { rows } = await client.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent = $1::regclass and pg_get_expr(c.relpartbound, c.oid) <= 'FOR VALUES FROM (''' || $2 || ''')'
       order by pg_get_expr(c.relpartbound, c.oid) desc limit 1`,
      [table, lowestId(Date.now() + afterDays * DAY_MS)],
    );
    return rows[0]!.name;
  };
  const warned = (): string => JSON.stringify(warnings.mock.calls);

  it('are made once by processes that boot at the same time, and dropped whole after retention', async () => {
    const later = Date.now() + 60 * DAY_MS;
    const runs = await Promise.all([aMaintainer().maintain(later), aMaintainer().maintain(later)]);
    const created = runs.flatMap((run) => run.created);
    expect(new Set(created).size).toBe(created.length);
    expect(created.filter((name) => name.startsWith('event_'))).toHaveLength(4);
    expect(runs.flatMap((run) => run.dropped)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^event_d7_/), expect.stringMatching(/^message_id_d7_/)]),
    );
    expect(await aMaintainer().maintain(later)).toEqual({ created: [], dropped: [] });
  });

  describe('of a process whose clock is 400 days ahead', () => {
    beforeEach(() => {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 400 * DAY_MS);
    });

    it('are those that PostgreSQL needs, and none is dropped', async () => {
      const before = await partitionsOfAll();
      expect(await aMaintainer().maintain()).toEqual({ created: [], dropped: [] });
      // Even if PostgreSQL's clock were the one that is wrong.
      expect((await aMaintainer().maintain(databaseNowMs() + 400 * DAY_MS)).dropped).toEqual([]);
      expect(await partitionsOfAll()).toEqual(expect.arrayContaining(before));
    });

    it('take the rows that it writes, and one line in its log says why it needs a look', async () => {
      const database = new Database(config);
      const watch = new ClockWatch(database);
      try {
        await watch.compare();
        await watch.compare();
        expect(warned().match(/345\d{5} s behind/g)).toHaveLength(1);
        const { rows } = await client.query<{ now: string }>(
          'select (extract(epoch from now()) * 1000)::bigint as now',
        );
        const idMs = Number.parseInt(newRowId().replace('-', '').slice(0, 12), 16);
        expect(Math.abs(idMs - Number(rows[0]?.now))).toBeLessThan(60_000);
      } finally {
        watch.onModuleDestroy();
        await database.close();
      }
    });
  });

  describe('past their retention', () => {
    const later = Date.now() + 60 * DAY_MS;
    const eventId = lowestId(Date.now());

    const addDelivery = async (state: string, ofEvent: string): Promise<void> => {
      await client.query(
        `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, state, due_at)
         values ($1, $2, 'u:ada', now(), $3, 'track', $4, now())`,
        [newRowId(), randomUUID(), ofEvent, state],
      );
    };
    const dropped = async (): Promise<string[]> => (await aMaintainer().maintain(later)).dropped;

    it('are kept while deliveries in them are pending, and as long as their dead letters are new', async () => {
      const name = await partitionAt('delivery');
      await addDelivery('pending', lowestId(0));
      expect(await dropped()).not.toContain(name);
      expect(warned()).toContain('pending deliveries');
      await client.query(`update delivery set state = 'dead', updated_at = now()`);
      expect(await dropped()).not.toContain(name);
      await client.query(`update delivery set updated_at = now() - make_interval(days => $1)`, [
        RETENTION_DAYS,
      ]);
      expect(await dropped()).toContain(name);
    });

    it('are kept with the tries of what is pending, and of dead letters as long as these are new', async () => {
      const name = await partitionAt('delivery_attempt');
      await addDelivery('pending', lowestId(0));
      await client.query('update delivery set attempts = 1');
      await client.query(
        `insert into delivery_attempt (id, delivery_id, attempt, started_at, total_ms)
         select $1, id, 1, now(), 1 from delivery`,
        [newRowId()],
      );
      expect(await dropped()).not.toContain(name);
      expect(warned()).toContain('tries of pending deliveries');
      await client.query(`update delivery set state = 'dead', updated_at = now()`);
      expect(await dropped()).not.toContain(name);
      await client.query(`update delivery set updated_at = now() - make_interval(days => $1)`, [
        RETENTION_DAYS,
      ]);
      expect(await dropped()).toContain(name);
    });

    it('are dropped with what is delivered', async () => {
      const name = await partitionAt('delivery');
      const ofEvents = await partitionAt('event');
      await addDelivery('delivered', eventId);
      expect(await dropped()).toEqual(expect.arrayContaining([name, ofEvents]));
    });

    it('are kept while the inbox has events in them', async () => {
      const name = await partitionAt('event');
      await client.query('insert into inbox (id, subjects, timestamps, event_ids) values ($1, $2, $3, $4)', [
        newRowId(),
        ['u:ada'],
        [new Date()],
        [eventId],
      ]);
      expect(await dropped()).not.toContain(name);
      expect(warned()).toContain('events that wait to be processed');
      await client.query('delete from inbox');
      expect(await dropped()).toContain(name);
    });

    it('are kept while deliveries of their events are pending', async () => {
      const name = await partitionAt('event');
      await addDelivery('pending', eventId);
      expect(await dropped()).not.toContain(name);
      await client.query(`update delivery set state = 'delivered'`);
      expect(await dropped()).toContain(name);
    });

    it('take with them which of their events could not be processed, and leave that of others', async () => {
      const [expired, stored] = [eventId, lowestId(later)];
      for (const id of [expired, stored]) {
        await client.query(
          `insert into dead_event (event_id, subject, "timestamp", reason) values ($1, 'u:ada', now(), 'some')`,
          [id],
        );
      }
      const deadEvents = async (): Promise<string[]> =>
        (await client.query<{ id: string }>('select event_id as id from dead_event')).rows.map(
          ({ id }) => id,
        );
      await aMaintainer().maintain();
      expect(await deadEvents()).toHaveLength(2);
      await dropped();
      expect(await deadEvents()).toEqual([stored]);
    });
  });

  describe('that another session has a lock on', () => {
    let other: Client;
    beforeEach(async () => {
      other = await connect();
      await other.query('begin');
    });
    afterEach(() => other.end());

    /** As a process does that boots. */
    const boot = async (): Promise<void> => {
      const partitions = aMaintainer();
      await partitions.onApplicationBootstrap();
      partitions.onApplicationShutdown();
    };

    it('do not hold up a boot that has nothing to change, as while pg_dump runs', async () => {
      const { rows } = await client.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'bullmq')`,
      );
      await other.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access share mode`);
      await runMigrations(testDatabase.url);
      await boot();
      expect(warnings).not.toHaveBeenCalled();
    });

    it('are made later, when they are not needed yet', async () => {
      const name = await partitionAt('event', 8);
      await client.query(`drop table ${name}`);
      await other.query('analyze event');
      await boot();
      expect(warned()).toContain(name);
      expect(await partitionsOf('event')).not.toContain(name);
      await other.query('commit');
      await boot();
      expect(await partitionsOf('event')).toContain(name);
    });

    it('stop a boot, which says why, when what comes now has no other', async () => {
      const name = await partitionAt('event');
      await client.query(`drop table ${name}`);
      await other.query('analyze event');
      const refused = boot();
      await expect(refused).rejects.toThrow(BootError);
      await expect(refused).rejects.toThrow(name);
    });

    it('are dropped later, and not by a process that boots', async () => {
      const name = 'event_d7_2000';
      await client.query(
        `create table ${name} partition of event for values from ('${lowestId(2000 * 7 * DAY_MS)}') to ('${lowestId(2001 * 7 * DAY_MS)}')`,
      );
      await other.query('select from event');
      await boot();
      expect((await aMaintainer().maintain()).dropped).toEqual([]);
      expect(warned()).toContain(name);
      await other.query('commit');
      await boot();
      expect(await partitionsOf('event')).toContain(name);
      expect((await aMaintainer().maintain()).dropped).toEqual([name]);
    });
  });
});
