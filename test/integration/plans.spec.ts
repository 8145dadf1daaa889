import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import type { ActiveDestinations } from '../../src/destinations/active-destinations';
import type { WorkerPresence } from '../../src/delivery/presence/worker-presence';
import type { PendingFrom } from '../../src/delivery/ledger/pending-from';
import { Ledger } from '../../src/delivery/ledger/ledger';
import { forgetEvents } from '../../src/events/forget-events';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { Config } from '../../src/platform/config/config';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import {
  Database,
  type OpenTransaction,
  type PreparedStatement,
  type Tx,
} from '../../src/platform/database/database';
import type { Subject } from '../../src/events/customer-event';
import { readDays } from '../../src/profiles/reading/read-days';
import type { ProfileFacts } from '../../src/profiles/touched-profile';
import type { KeptTrait } from '../../src/segments/computed-traits/kept-traits';
import { updateValues } from '../../src/segments/computed-traits/update-values';
import { anyUpkeepSql } from '../../src/segments/computing/segment-upkeep';
import type { ActiveGeneration } from '../../src/segments/definitions/active-generation';
import type { PersonMeasures } from '../../src/segments/membership/read-measures';
import { updateMemberships } from '../../src/segments/membership/update-memberships';
import { DataSource } from 'typeorm';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const DELIVERIES = 2_000;

/** As on the first day, or in a partition of today: PostgreSQL has looked at none of the tables yet. */
describe('what PostgreSQL makes of statements about tables that nobody has analyzed', () => {
  let test: ConnectedDatabase;
  let client: Client;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectTestDatabase();
    client = test.client;
    destinationId = uuidv7();
    await client.query('create table delivery_today partition of delivery default');
    await client.query('alter table delivery_today set (autovacuum_enabled = false)');
    await client.query('alter table destination_change set (autovacuum_enabled = false)');
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
       select id::uuid, $1, 'u:1', now(), id::uuid, 'track', now() from unnest($2::text[]) as id`,
      [destinationId, Array.from({ length: DELIVERIES }, () => uuidv7())],
    );
  });
  afterAll(() => test.drop());

  /** The statements that a ledger sends, with what it sends them. */
  async function claims(): Promise<(readonly [PreparedStatement, readonly unknown[]])[]> {
    const sent: (readonly [PreparedStatement, readonly unknown[]])[] = [];
    const database = {
      query: async (statement: PreparedStatement, params: readonly unknown[]) => {
        sent.push([statement, params]);
        return [];
      },
    };
    const ledger = new Ledger(
      database as unknown as Database,
      undefined as unknown as ActiveDestinations,
      { id: 1, isAlarmed: false, lost: [], earlyMs: 0 } as unknown as WorkerPresence,
      { id: lowestId(0) } as unknown as PendingFrom,
      Config.from({ CDP_DATABASE_URL: test.url }),
    );
    await ledger.claimDeliveries([uuidv7(), uuidv7()]);
    await ledger.claimDue(destinationId, 100);
    await ledger.claimNext(destinationId, 60_000);
    return sent;
  }

  it('is never more rows than there are, for what claims deliveries', async () => {
    const estimates: Record<string, number> = {};
    for (const [{ name, text }, params] of await claims()) {
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`set plan_cache_mode = ${mode}`);
        await client.query(`prepare claim as ${text}`);
        const { rows } = await client.query(
          `explain (format json) execute claim(${params.map(literal).join()})`,
        );
        estimates[`${name}, ${mode}`] = rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
        await client.query('deallocate claim');
      }
    }
    expect(Object.keys(estimates)).toHaveLength(8);
    expect(Object.entries(estimates).filter(([, rows]) => rows > DELIVERIES)).toEqual([]);
  });

  it('is a look into the index for each, for what is known of people in segments and computed traits', async () => {
    const sent: (readonly [PreparedStatement, readonly unknown[]])[] = [];
    const tx = {
      query: async (statement: PreparedStatement, params: readonly unknown[] = []) => {
        sent.push([statement, params]);
        return [];
      },
    } as unknown as OpenTransaction;
    const facts = { subject: 'u:1' } as unknown as ProfileFacts;
    const [now, none] = [new Date().toISOString(), new Map<Subject, PersonMeasures>()];
    const generation = {
      generation: 1,
      requires: [],
      dayCounts: [],
      reads: [],
      sequences: [],
      groupTraits: [],
    };
    const active = { ...generation, test: () => false } as unknown as ActiveGeneration;
    await updateMemberships([{ facts, generations: [active] }], Promise.resolve(none), now, tx);
    const trait = { generation: 1, valueOf: () => ({ value: null, dueMs: null }), nothing: null };
    await updateValues([{ facts, traits: [trait as unknown as KeptTrait] }], none, now, tx);
    const read = sent.filter(([{ name }]) => /_read_(members|values)$/.test(name));
    expect(read).toHaveLength(2);
    for (const [{ name, text }, params] of read) {
      await client.query('set plan_cache_mode = force_generic_plan');
      await client.query(`prepare known as ${text}`);
      const { rows } = await client.query(`explain execute known(${params.map(literal).join()})`);
      await client.query('deallocate known');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect({ name, plan }).toEqual({ name, plan: expect.stringContaining('Index Scan using') });
      expect({ name, plan }).toEqual({ name, plan: expect.not.stringContaining('Hash Join') });
    }
  });

  it('is a look into the index for each name, for what is counted per day of people', async () => {
    const sent: (readonly [PreparedStatement, readonly unknown[]])[] = [];
    const tx = {
      query: async (statement: PreparedStatement, params: readonly unknown[] = []) => {
        sent.push([statement, params]);
        return [];
      },
    } as unknown as OpenTransaction;
    await readDays([{ subject: 'u:1', name: 'Paid', firstDay: 20_000, endDay: 20_100 }], tx);
    const [[{ text }, params] = [{ text: '' }, []]] = sent;
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare days as ${text}`);
    const { rows } = await client.query(`explain execute days(${params.map(literal).join()})`);
    await client.query('deallocate days');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.replaceAll('\n', ' ')).toMatch(
      /Index Cond: \(\(subject = asked.subject\) AND \(name = asked.name\) AND \(day >= /,
    );
    expect(plan).not.toMatch(/Hash Join|Seq Scan/);
  });

  it('is one look into the index, for whether somebody is due in a segment or a computed trait', async () => {
    await client.query('alter table segment_member set (autovacuum_enabled = false)');
    await client.query(
      `insert into segment_member (subject, generation, member, changed_at)
       select 'u:' || n, 1, true, now() from generate_series(1, 20000) as n`,
    );
    const planOf = async (text: string): Promise<string> =>
      (await client.query(`explain ${text}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
    const plan = await planOf(anyUpkeepSql);
    expect(plan).toContain('using segment_member_due_ix on segment_member');
    expect(plan).toContain('using computed_value_due_ix on computed_value');
    await client.query('truncate segment_member');
  });

  it('is a look into the index for each event of a person who is erased', async () => {
    await client.query('create table event_today partition of event default');
    const store = (subjectSql: string, count: number): Promise<unknown> =>
      client.query(
        `insert into event (subject, "timestamp", id, source_id, type, name, payload)
         select ${subjectSql}, now() - (n * 7919 % 20000) * interval '1 second', id::uuid, id::uuid, 'track', 'Seen', '{}'
         from unnest($1::text[]) with ordinality as i(id, n)`,
        [Array.from({ length: count }, () => uuidv7())],
      );
    // What PostgreSQL knows of the table is older than the person's events.
    await store(`'u:' || n % 1000`, 3_000);
    await client.query('vacuum analyze event');
    await store(`'u:erased'`, 20_000);
    const [low, old, high] = [1, 2, 3].map((day) => lowestId(day * DAY_MS));
    await client.query(
      `create table event_before partition of event for values from ('${low}') to ('${high}')`,
    );
    await client.query(
      `insert into event (subject, "timestamp", id, source_id, type, payload)
       values ('u:erased', now() - interval '1 day', $1, $1, 'track', '{}')`,
      [old],
    );
    let plan = '';
    const tx: Tx = {
      query: async (statement, params = []) => {
        const { text, name } = statement as PreparedStatement;
        if (name === 'forget_events') {
          const { rows } = await client.query(`explain analyze ${text}`, [...params]);
          plan = rows.map((row) => row['QUERY PLAN']).join('\n');
          return [];
        }
        return (await client.query(text, [...params])).rows;
      },
    };
    expect(await forgetEvents(['u:erased'], 1_000, tx)).toBe(1_000);
    expect(plan).toContain('Index Scan using');
    // Of all that is in the range of ids: a join may compare each of those with each key.
    expect(plan).not.toContain('Bitmap Heap Scan');
    // Each in its partition: found by its key, and deleted where it is.
    const loops = [...plan.matchAll(/ on event_before .*loops=(\d+)/g)].map(([, count]) => Number(count));
    expect(loops).toEqual([1, 1]);
    const { rows: left } = await client.query(`select from event where subject = 'u:erased'`);
    expect(left).toHaveLength(19_001);
  });

  it('is compiled on no connection of the service', async () => {
    const database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    const configuration = await new DataSource(dataSourceOptions(test.url)).initialize();
    try {
      expect((await client.query('show jit')).rows).toEqual([{ jit: 'on' }]);
      expect(await database.query('show jit')).toEqual([{ jit: 'off' }]);
      expect(await configuration.query('show jit')).toEqual([{ jit: 'off' }]);
    } finally {
      await Promise.all([database.close(), configuration.destroy()]);
    }
  });
});

function literal(value: unknown): string {
  const text = Array.isArray(value) ? `{${value.join()}}` : String(value);
  return value === null ? text : `'${text}'`;
}
