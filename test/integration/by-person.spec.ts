import { Client, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { DeliveryReader } from '../../src/delivery/api/delivery-reader';
import type { Waits } from '../../src/delivery/stats/waits';
import { deliveryExport } from '../../src/delivery/export-deliveries';
import { Delivery } from '../../src/delivery/ledger/delivery.entity';
import { DeliveryAttempt } from '../../src/delivery/ledger/delivery-attempt.entity';
import { eraseDeliveries } from '../../src/delivery/ledger/ending/erase-deliveries';
import { pruneMinutes } from '../../src/delivery/stats/prune-minutes';
import { findRejectedEvents } from '../../src/events/rejected/find-rejected-events';
import { rejectedEventsOfPeople } from '../../src/events/rejected/rejected-events-of-people';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { FindDeliveriesOfPeople1795000000019 } from '../../src/platform/database/migrations/1795000000019-find-deliveries-of-people';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import type { Connection, Database, PreparedStatement } from '../../src/platform/database/database';
import type { ReplicaDatabase } from '../../src/platform/database/replica-database';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const PARTITIONS = 8;
const DELIVERIES_PER_PARTITION = 5_000;
/** Those of a look into one index of each partition, and what is found there. A walk has more than a hundred of each. */
const MAX_BUFFERS = PARTITIONS * 6;

const fillSql = `
  insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state, error_class)
  select (substr($1, 1, 13) || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    case when n = 1 then $3::uuid else $2::uuid end, case when n = 2 then 'u:anna' else 'u:' || n end,
    now(), gen_random_uuid(), 'track', now(), 'dead', case when n = 3 then 'http_418' else 'http_5xx' end
  from generate_series(1, ${DELIVERIES_PER_PARTITION}) as n`;

/** Counts the buffers of all statements that are sent over it. */
class CountingConnection implements Connection {
  buffers = 0;

  constructor(readonly pg: Client) {}

  readonly client = {
    query: async (text: string, values: unknown[] = []) => {
      await this.pg.query('savepoint counted');
      const { rows } = await this.pg.query(`explain (analyze, buffers, format json) ${text}`, values);
      await this.pg.query('rollback to savepoint counted');
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      this.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return this.pg.query(text, values);
    },
  };

  async query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = typeof statement === 'string' ? statement : statement.text;
    return (await this.client.query(text, [...params])).rows as Row[];
  }
}

/** So that what is rare in a ledger is found without a walk through it. */
describe('in a ledger of many days', () => {
  let test: TestDatabase;
  let pg: Client;
  let dataSource: DataSource;
  let connection: CountingConnection;
  const [common, rare] = [uuidv7(), uuidv7()];

  beforeAll(async () => {
    test = await createTestDatabase();
    pg = new Client({ connectionString: test.url });
    await pg.connect();
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    for (let day = 0; day < PARTITIONS; day += 1) {
      const [from, to] = [lowestId(today - day * DAY_MS), lowestId(today - (day - 1) * DAY_MS)];
      for (const table of ['delivery', 'delivery_attempt']) {
        await pg.query(
          `create table ${table}_${day} partition of ${table} for values from ('${from}') to ('${to}')`,
        );
      }
      await pg.query(fillSql, [from, common, rare]);
    }
    await pg.query('create table rejected_event_0 partition of rejected_event default');
    await pg.query(
      `
      insert into delivery_minute (destination_id, minute, outcome, latency_class, count)
      select $1::uuid, date_trunc('minute', now()) - n * interval '1 minute', 'delivered', 0, 1
      from generate_series(0, 2882) as n`,
      [common],
    );
    await pg.query('vacuum analyze');
    const entities = [Delivery, DeliveryAttempt];
    dataSource = await new DataSource({ ...dataSourceOptions(test.url), entities }).initialize();
  });
  afterAll(async () => {
    await Promise.all([pg.end(), dataSource.destroy()]);
    await test.drop();
  });
  beforeEach(async () => {
    await pg.query('begin');
    connection = new CountingConnection(pg);
  });
  afterEach(() => pg.query('rollback'));

  function aReader(): DeliveryReader {
    return new DeliveryReader(
      dataSource.getRepository(Delivery),
      dataSource.getRepository(DeliveryAttempt),
      connection as unknown as Database,
      { read: (work: (on: Connection) => unknown) => work(connection) } as unknown as ReplicaDatabase,
      undefined as unknown as Waits,
    );
  }

  it('the indexes are made beside what goes on, also after a first try that was cut off', async () => {
    await pg.query('rollback');
    const runner = dataSource.createQueryRunner();
    const migration = new FindDeliveriesOfPeople1795000000019();
    await migration.down(runner);
    await pg.query(`create index delivery_subject_ix on only delivery (hashtextextended(subject, 0))`);
    await pg.query(`create index delivery_0_subject_ix on delivery_0 (hashtextextended(subject, 0))`);
    await migration.up(runner);
    await runner.release();
    const { rows } = await pg.query(`
      select c.relname, x.indisvalid, (select count(*)::int from pg_inherits i where i.inhparent = c.oid) as partitions
      from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = 'delivery'::regclass
        and c.relname in ('delivery_subject_ix', 'delivery_dead_reason_ix', 'delivery_dead_destination_ix')`);
    expect(rows).toHaveLength(3);
    expect(rows.filter(({ indisvalid, partitions }) => !indisvalid || partitions !== PARTITIONS)).toEqual([]);
    await pg.query('begin');
  });

  it('the deliveries of a person are deleted', async () => {
    expect(await eraseDeliveries(['u:anna', 'a:anna'], 100, connection)).toBe(PARTITIONS);
    expect(connection.buffers).toBeLessThan(3 * MAX_BUFFERS);
  });

  it('a million deliveries of a person are deleted in parts', async () => {
    expect(await eraseDeliveries(['u:anna'], 5, connection)).toBe(5);
    expect(await eraseDeliveries(['u:anna'], 5, connection)).toBe(PARTITIONS - 5);
    expect(await eraseDeliveries(['u:anna'], 5, connection)).toBe(0);
  });

  it('the deliveries of a person are exported', async () => {
    const rows = await connection.query(deliveryExport.sql, [['u:anna', 'a:anna'], ...deliveryExport.first]);
    expect(rows).toHaveLength(PARTITIONS);
    expect(connection.buffers).toBeLessThan(2 * MAX_BUFFERS);
  });

  it.each([
    ['of a person', { destinationId: common, userId: 'anna' }],
    ['that died for a rare reason', { state: 'dead', reason: 'http_418' }],
    [
      'that died for a rare reason, of one destination',
      { state: 'dead', reason: 'http_418', destinationId: common },
    ],
    ['that died, of a destination that has few', { state: 'dead', destinationId: rare }],
  ] as const)('deliveries %s are listed', async (_, filter) => {
    expect(await aReader().find(filter, 101)).toHaveLength(PARTITIONS);
    expect(connection.buffers).toBeLessThan(MAX_BUFFERS);
  });

  it('rejected events of a person are found, listed and deleted among many', async () => {
    await pg.query(`
      insert into rejected_event (id, source_id, codes, paths, subjects, payload, screened)
      select gen_random_uuid(), gen_random_uuid(), '{missing_event_name}', '{event}',
        array['u:' || case when n = 1 then 'anna' else n::text end], repeat('x', 500), true
      from generate_series(1, 5000) as n`);
    const search = { subjects: ['u:anna'] } as const;
    expect(await findRejectedEvents(search, 10, connection)).toHaveLength(1);
    expect(await rejectedEventsOfPeople.has(['u:anna', 'a:anna'], connection)).toBe(true);
    expect(await rejectedEventsOfPeople.forgetPart(['u:anna', 'a:anna'], 10, connection)).toBe(1);
    // What is not put into the index yet, some hundred pages at most, is read as it is.
    expect(connection.buffers).toBeLessThan(3 * MAX_BUFFERS);
  });

  it('minutes that are too old are forgotten', async () => {
    await pruneMinutes(5_000, connection);
    expect((await pg.query('select from delivery_minute')).rowCount).toBeLessThanOrEqual(2881);
    expect(connection.buffers).toBeLessThan(25);
  });
});
