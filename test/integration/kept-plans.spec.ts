import type { Pool, PoolClient } from 'pg';
import { COMMITS_IN_FLIGHT, EventStore } from '../../src/events/event-store';
import { Database } from '../../src/platform/database/database';
import type { RuleNode } from '../../src/segments/rules/rule';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const EVENTS = 100;
const PEOPLE = 20;
/** On few connections a statement has soon been run often enough. */
const CONNECTIONS = 3;
/** People who are there all at once, as after an import, and rows that none of the events is about. */
const CROWD = 20_000;
/** PostgreSQL looks at so many plans that are made for the values at hand before it keeps one for all values. */
const PLANS_BEFORE_ONE_IS_KEPT = 5;

/** Tables with rows of people and events, and their partitions. */
const GROWING =
  '^(event|message_id|delivery|delivery_attempt|profile|profile_day|customer_group|segment_member|computed_value)(_d[0-9_]+)?$';

/** At everyday rates an event comes alone, and making a plan takes longer than running it. */
describe('statements that each event makes', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_DATABASE_POOL_SIZE: String(CONNECTIONS) } });
    segments = await SegmentsUnderTest.of(service);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  it('are planned once on each connection, and read few rows also of tables that have grown since', async () => {
    await aRule({ field: 'traits.plan', operator: 'eq', value: 'pro' });
    await aRule({ field: 'event_count', event: 'Paid', operator: 'gte', value: 3, within: '30d' });
    await aRule({
      event: 'Paid',
      aggregate: 'sum',
      of: 'properties.total',
      operator: 'gte',
      value: 50,
      within: '30d',
    });
    await aRule({ sequence: [{ event: 'Seen' }, { event: 'Paid', within: '1d' }], within: '30d' });
    await aRule({ field: 'groups.size', operator: 'gt', value: 2 });
    const trait = { name: 'paid', event: 'Paid', aggregate: 'sum', of: 'properties.total', within: '90d' };
    expect(await segments.api.post('/computed-traits', trait)).toMatchObject({ status: 201 });
    await aDestination({});
    await aDestination({ order: { by: 'person' } });
    // Few batches, however long the events take: what there is once for each of those is not asked about here.
    await aDestination({ config: { url: receiver.url, batch: { flushSeconds: 10 } } });

    await aRule({ field: 'computed.paid', operator: 'gte', value: 100 });

    // In tables that were empty when the first plans were made, all plans look dear once PostgreSQL has looked at them.
    await endAutovacuum();
    await sendAll(0);
    await segments.database.query('analyze');
    await endConnections();
    const before = await scans();
    await sendAll(EVENTS);
    expect(await plannedAgain()).toEqual([]);
    expect(await scans()).toEqual(before);

    await addCrowd();
    const read = await rowsRead();
    await sendAll(2 * EVENTS);
    const readMore = [...(await rowsRead())].map(
      ([table, rows]) => [table, rows - (read.get(table) ?? 0)] as const,
    );
    expect(readMore.filter(([, rows]) => rows >= CROWD)).toEqual([]);
  });

  it('are not planned anew for each person who is exported or erased', async () => {
    await aDestination({});
    await endConnections();
    for (let n = 0; n < 2 * PEOPLE; n++) await segments.send([{ event: 'Seen', userId: `person ${n}` }]);
    await eventually(async () => expect(await pending()).toEqual([]));
    for (let n = 0; n < PEOPLE; n++) {
      const userId = `person ${n}`;
      expect(await segments.api.get(`/profiles/${userId}/export`)).toMatchObject({ status: 200 });
      expect(await segments.api.delete(`/profiles/${userId}`)).toMatchObject({ status: 200 });
    }
    const names = (await plannedAgain()).map(({ name }) => name);
    expect(names.filter((name) => /^export_|^erase_delivery_attempts$/.test(name))).toEqual([]);
  });

  async function sendAll(from: number): Promise<void> {
    for (let n = from; n < from + EVENTS; n++) await segments.send([anEvent(n)]);
    await eventually(async () => expect(await pending()).toEqual([]));
  }

  /** A table that it has made smaller grows again, and each plan looks dearer than those of a moment ago. */
  async function endAutovacuum(): Promise<void> {
    const tables = await segments.database.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables)
      await segments.database.query(`alter table ${name} set (autovacuum_enabled = false)`);
  }

  /** And with them what they have planned; the pool makes others. */
  async function endConnections(): Promise<void> {
    const clients = await allClients();
    for (const client of clients) client.release(true);
  }

  async function aRule(rule: RuleNode): Promise<void> {
    await segments.members(await segments.createSegment([rule]));
  }

  async function aDestination(members: object): Promise<void> {
    const name = `Receiver ${segments.next()}`;
    const given = { name, type: 'webhook', config: { url: receiver.url }, ...members };
    expect(await segments.api.post('/destinations', given)).toMatchObject({ status: 201 });
  }

  function pending(): Promise<object[]> {
    return segments.database.query(`select 1 from delivery where state = 'pending'`);
  }

  async function addCrowd(): Promise<void> {
    const many = `from generate_series(1, ${CROWD}) as n`;
    const id = `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
    for (const text of [
      `insert into profile (subject, event_count, first_seen_at, last_seen_at) select 'u:crowd ' || n, 1, now(), now() ${many}`,
      `insert into profile (subject, merged_into) select 'a:crowd ' || n, 'u:crowd ' || n ${many}`,
      `insert into profile_day (subject, name, day, count) select 'u:crowd ' || n, 'Paid', current_date, 1 ${many}`,
      `insert into customer_group (group_id) select 'crowd ' || n ${many}`,
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:crowd ' || n, now(), ${id}, ${id}, 'track', 'Paid', '{}' ${many}`,
      `insert into message_id (key, epoch, event_id)
       select md5(n::text)::uuid, (select max(epoch) from message_id), ${id} ${many}`,
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state)
       select ${id}, d.id, 'u:crowd ' || n, now(), ${id}, 'track', now(), 'delivered'
       from (select id from destination order by id limit 1) as d, generate_series(1, ${CROWD}) as n`,
      `insert into delivery_attempt (id, delivery_id, attempt, started_at, status, total_ms)
       select ${id}, ${id}, 1, now(), 200, 1 ${many}`,
      `insert into segment_member (subject, generation, member, changed_at)
       select 'u:crowd ' || n, s.live_generation, true, now()
       from segment s, generate_series(1, ${CROWD}) as n where s.live_generation is not null`,
    ])
      await segments.database.query(text);
    // Or a worker of autovacuum does it, sooner or later, and reads all these events for it.
    await segments.database.query(
      `select brin_summarize_new_values(c.oid) from pg_class c join pg_am a on a.oid = c.relam
       where a.amname = 'brin' and c.relkind = 'i'`,
    );
  }

  /** How many rows of each table that grows were read, by any index or without. */
  async function rowsRead(): Promise<Map<string, number>> {
    await flushStatistics();
    const found = await segments.database.query<{ table: string; rows: number }>(
      `select relname as "table", (seq_tup_read + coalesce((
         select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0))::float8 as rows
       from pg_stat_user_tables t where relname ~ $1`,
      [GROWING],
    );
    return new Map(found.map(({ table, rows }) => [table, rows]));
  }

  /** How often each table that grows was read from its beginning, by any connection. */
  async function scans(): Promise<object[]> {
    await flushStatistics();
    return segments.database.query(
      `select relname as "table", seq_scan::int as scans from pg_stat_user_tables
       where seq_scan > 0 and relname ~ $1 order by relname`,
      [GROWING],
    );
  }

  async function flushStatistics(): Promise<void> {
    const clients = await allClients();
    for (const client of clients) await client.query('select pg_stat_force_next_flush()');
    for (const client of clients) client.release();
  }

  async function allClients(): Promise<PoolClient[]> {
    const clients: PoolClient[] = [];
    for (let n = 0; n < CONNECTIONS; n++) clients.push(await service.app.get(Database).pool.connect());
    const intake = Reflect.get(service.app.get(EventStore), 'pool') as Pool;
    for (let n = 0; n < COMMITS_IN_FLIGHT; n++) clients.push(await intake.connect());
    return clients;
  }

  /** Statements that went on being planned for the values at hand, on any connection. Cursors always are. */
  async function plannedAgain(): Promise<{ name: string }[]> {
    const clients = await allClients();
    const found = await Promise.all(
      clients.map((client) =>
        client.query(
          `select name, custom_plans::int from pg_prepared_statements
           where custom_plans > $1 and statement !~ '^\\s*declare'`,
          [PLANS_BEFORE_ONE_IS_KEPT],
        ),
      ),
    );
    for (const client of clients) client.release();
    return found.flatMap(({ rows }) => rows);
  }
});

/** Of four people in a group, one after the other, of whom some have visited before. */
function anEvent(n: number): object {
  const userId = `user ${n % 4}`;
  switch (n % 5) {
    case 0:
      return { type: 'group', userId, groupId: 'acme', traits: { size: n } };
    case 1:
      return {
        type: 'identify',
        userId,
        anonymousId: `visitor ${n}`,
        traits: { plan: n % 2 === 0 ? 'pro' : 'free' },
      };
    case 2:
      return { event: 'Seen', userId };
    default:
      return { event: 'Paid', userId, properties: { total: n } };
  }
}
