import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import type { Subject } from '../../src/events/customer-event';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { DAY_MS } from '../../src/events/partitions/partition-plan';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import type { OpenTransaction, PreparedStatement } from '../../src/platform/database/database';
import { PartitionDays1795000000096 } from '../../src/platform/database/migrations/1795000000096-partition-days';
import { readDays } from '../../src/profiles/reading/read-days';
import { addDayCounts, dayOf, moveDayCounts } from '../../src/profiles/state/day-counts';
import { dayPartitions } from '../../src/profiles/state/day-partitions';
import { eventually } from '../support/eventually';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const TODAY = dayOf(Date.now());
const PEOPLE = 50;
/** The partition of yesterday, that of today, and two that are made ahead. */
const RECENT = 4;

type Sent = [PreparedStatement, readonly unknown[]];
describe('the partitions of counts per day', () => {
  let test: ConnectedDatabase;
  let client: Client;

  beforeEach(async () => {
    test = await connectTestDatabase();
    client = test.client;
  });
  afterEach(() => test.drop());

  it('are made ahead, and reach from one to the next', async () => {
    for (const days of [0, 30, 60]) await makePartitions(client, [dayPartitions], Date.now() + days * DAY_MS);
    for (let day = TODAY - 100; day < TODAY + 100; day += 1) await count('u:ada', day);
    expect(await countsOf('u:ada')).toBe(200);
  });

  it('leave no day out when nothing has run for long', async () => {
    for (const days of [0, 200]) await makePartitions(client, [dayPartitions], Date.now() + days * DAY_MS);
    for (let day = TODAY; day < TODAY + 200; day += 1) await count('u:ada', day);
    expect(await countsOf('u:ada')).toBe(200);
  });

  describe('in a store that had none', () => {
    let dataSource: DataSource;
    let runner: QueryRunner;
    const migration = new PartitionDays1795000000096();

    beforeEach(async () => {
      dataSource = await new DataSource(dataSourceOptions(test.url)).initialize();
      runner = dataSource.createQueryRunner();
      await migration.down(runner);
      for (let day = TODAY - 40; day <= TODAY + 1; day += 1) await count('u:ada', day);
    });
    afterEach(async () => {
      await runner.release();
      await dataSource.destroy();
    });

    it('leave the rows where they are, and lose none that comes meanwhile', async () => {
      const writer = await connect();
      const over = new AbortController();
      let written = 0;
      const writing = (async () => {
        for (; !over.signal.aborted; written += 1)
          await count(`u:${written % PEOPLE}`, TODAY - (written % 3), writer);
      })();
      await eventually(() => expect(written).toBeGreaterThan(PEOPLE));
      await migration.up(runner);
      const before = written;
      await eventually(() => expect(written).toBeGreaterThan(before + PEOPLE));
      over.abort();
      await writing;
      await writer.end();
      const { rows } = await client.query('select sum(count)::int as sum from profile_day_before');
      expect(rows).toEqual([{ sum: 42 + written }]);
      await migration.up(runner);
      await makePartitions(client, [dayPartitions], Date.now());
      await count('u:ada', TODAY + 50);
      expect(await countsOf('u:ada')).toBe(43);
      await migration.down(runner);
      expect(await countsOf('u:ada')).toBe(43);
    });

    it('hold nobody up while somebody reads for long', async () => {
      const reader = await connect();
      await reader.query('begin');
      await reader.query('select from profile_day');
      const migrating = migration.up(runner);
      await eventually(async () => {
        const { rowCount } = await client.query(
          `select from pg_locks where relation = 'profile_day'::regclass and not granted`,
        );
        expect(rowCount).toBe(1);
      });
      await count('u:ben', TODAY);
      await reader.query('rollback');
      await reader.end();
      await migrating;
      expect(await countsOf('u:ben')).toBe(1);
      expect(await countsOf('u:ada')).toBe(42);
    });
  });

  it.each(['force_generic_plan', 'force_custom_plan'])(
    'of days that nobody asks for are not looked into, with %s',
    async (mode) => {
      await makePartitions(client, [dayPartitions], Date.now());
      await client.query(`set plan_cache_mode = ${mode}`);
      const asked = { subject: 'u:ada' as Subject, name: 'Seen', firstDay: TODAY - 1, endDay: undefined };
      expect(await lookedInto((tx) => void readDays([asked], tx))).toBeLessThanOrEqual(RECENT);
      const folds = new Map([['a:1' as Subject, 'u:ada' as Subject]]);
      expect(await lookedInto((tx) => moveDayCounts(folds, TODAY - 1, tx))).toBeLessThanOrEqual(RECENT);
    },
  );

  async function connect(): Promise<Client> {
    const connected = new Client({ connectionString: test.url });
    await connected.connect();
    return connected;
  }

  /** The one statement that `work` sends. */
  function statementOf(work: (tx: OpenTransaction) => void): Sent {
    const sent: Sent[] = [];
    const send = (...statement: Sent): unknown[] => [sent.push(statement)];
    work({ query: send, send } as unknown as OpenTransaction);
    expect(sent).toHaveLength(1);
    return sent[0]!;
  }

  /** How many partitions the statement reads. */
  async function lookedInto(work: (tx: OpenTransaction) => void): Promise<number> {
    const [{ name, text }, params] = statementOf(work);
    await client.query('begin');
    await client.query({ name, text, values: [...params] });
    const { rowCount } = await client.query(
      `select from pg_stat_xact_user_tables where relname like 'profile_day_%' and seq_scan + idx_scan > 0`,
    );
    await client.query('rollback');
    return rowCount ?? 0;
  }

  /** Counts one event, as the processing of events does. */
  async function count(subject: string, day: number, by = client): Promise<void> {
    const counts = [{ subject: subject as Subject, name: 'Seen', day, count: 1 }];
    const [{ text }, params] = statementOf((tx) => addDayCounts(counts, () => false, tx));
    await by.query(text, [...params]);
  }

  async function countsOf(subject: string): Promise<number> {
    const { rows } = await client.query('select sum(count)::int as sum from profile_day where subject = $1', [
      subject,
    ]);
    return rows[0].sum;
  }
});
