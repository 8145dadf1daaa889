import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { DestinationStates } from '../../src/delivery/stats/destination-states';
import { DeliveryReader } from '../../src/delivery/api/delivery-reader';
import type { Waits } from '../../src/delivery/stats/waits';
import { countDeliveriesOfPeople, eraseDeliveries } from '../../src/delivery/ledger/ending/erase-deliveries';
import { findDeliveriesOfEvent } from '../../src/delivery/ledger/find-deliveries-of-event';
import { readBacklogs } from '../../src/delivery/stats/read-backlogs';
import { userSubject } from '../../src/events/subject';
import { cancelOrphans } from '../../src/delivery/ledger/ending/cancel-deliveries';
import { DeliveryAttempt } from '../../src/delivery/ledger/delivery-attempt.entity';
import { Delivery } from '../../src/delivery/ledger/delivery.entity';
import { endWaits } from '../../src/delivery/ledger/ending/end-waits';
import { expireDeliveries } from '../../src/delivery/ledger/ending/expire-deliveries';
import { leaveOrder } from '../../src/delivery/ledger/waiting/leave-order';
import { Ledger } from '../../src/delivery/ledger/ledger';
import { followMerged } from '../../src/delivery/ledger/waiting/follow-merged';
import type { DeliveryOutcome } from '../../src/delivery/ledger/recording/delivery-outcome';
import { advancePendingFrom, PendingFrom } from '../../src/delivery/ledger/pending-from';
import { BulkRetries } from '../../src/delivery/retries/bulk-retries';
import { recallMisdated } from '../../src/delivery/ledger/waiting/recall-misdated';
import { recordAndLogOutcomes, recordOutcomes } from '../../src/delivery/ledger/recording/record-outcomes';
import { releaseDeliveries } from '../../src/delivery/ledger/waiting/release-deliveries';
import {
  reopenDeadLetter,
  reopenDeadLetters,
} from '../../src/delivery/ledger/dead-letters/reopen-dead-letters';
import { secureDeliveries } from '../../src/delivery/ledger/claiming/secure-deliveries';
import { BacklogMetrics } from '../../src/delivery/metrics/backlog.metrics';
import { LedgerUpkeep } from '../../src/delivery/upkeep/ledger-upkeep';
import type { WorkerPresence } from '../../src/delivery/presence/worker-presence';
import type { ActiveDestination, ActiveDestinations } from '../../src/destinations/active-destinations';
import { DAY_MS, lowestId, partitionsNeeded } from '../../src/events/partitions/partition-plan';
import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import {
  type Connection,
  Database,
  type OpenTransaction,
  type PreparedStatement,
  type Statement,
  type Tx,
} from '../../src/platform/database/database';
import type { ReplicaDatabase } from '../../src/platform/database/replica-database';
import { Metrics } from '../../src/platform/metrics/metrics';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const DAYS = 100;
/** Yesterday's, today's, and two that are made ahead. */
const RECENT = 4;
const TABLE = { kind: 'id-range', table: 'delivery', days: 1, retentionDays: DAYS } as const;

type Sent = readonly [PreparedStatement, readonly unknown[]];

describe('the ledger with a partition for each of a hundred days', () => {
  let test: TestDatabase;
  let client: Client;
  let database: Database;
  let configuration: DataSource;
  let lookout: Lookout;
  let pendingFrom: PendingFrom;
  const destinationId = uuidv7();
  const order = { by: 'person', maxWaitSeconds: 60, maxWaiting: 10, afterwards: 'pass' } as const;
  const ordered = { id: uuidv7(), order, orderedAtMs: Date.now() - 10_000 } as ActiveDestination;

  beforeAll(async () => {
    test = await createTestDatabase();
    client = new Client({ connectionString: test.url });
    await client.connect();
    const bounds = new Map<string, string>();
    for (let day = 0; day <= DAYS; day += 1) {
      for (const { name, values } of partitionsNeeded(TABLE, Date.now() - day * DAY_MS))
        bounds.set(name, values);
    }
    for (const [name, values] of bounds)
      await client.query(`create table if not exists ${name} partition of delivery for values ${values}`);
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    configuration = await new DataSource({
      ...dataSourceOptions(test.url),
      entities: [Delivery, DeliveryAttempt],
    }).initialize();
    lookout = new Lookout(database);
    pendingFrom = new PendingFrom(database, lookout);
    lookout.onApplicationBootstrap();
  });
  beforeEach(async () => {
    await client.query('delete from delivery');
    await client.query(`update delivery_upkeep set pending_from = $1, done_at = '-infinity'`, [lowestId(0)]);
    await pendingFrom.refresh();
  });
  afterAll(async () => {
    lookout.onModuleDestroy();
    await configuration.destroy();
    await database.close();
    await client.end();
    await test.drop();
  });

  async function aDelivery(daysAgo: number, state = 'pending'): Promise<string> {
    const made = uuidv7();
    const id = lowestId(Date.now() - daysAgo * DAY_MS).slice(0, 13) + made.slice(13);
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state)
       values ($1, $2, 'u:1', now(), $1, 'track', now(), $3)`,
      [id, destinationId, state],
    );
    return id;
  }

  /** Which lists over this connection. */
  function aReader(connection: Connection): DeliveryReader {
    return new DeliveryReader(
      configuration.getRepository(Delivery),
      configuration.getRepository(DeliveryAttempt),
      database,
      { read: (work: (over: Connection) => unknown) => work(connection) } as unknown as ReplicaDatabase,
      undefined as unknown as Waits,
    );
  }

  async function tidyIfDue(): Promise<boolean> {
    return new LedgerUpkeep(database).tidyIfDue();
  }

  /** Days from the first partition that statements look at until now. */
  async function daysLookedAt(): Promise<number> {
    await pendingFrom.refresh();
    return (
      Math.floor(Date.now() / DAY_MS) -
      Math.floor(Number.parseInt(pendingFrom.id.replace('-', '').slice(0, 12), 16) / DAY_MS)
    );
  }

  function aLedger(over: Tx): Ledger {
    return new Ledger(
      over as Database,
      {
        refresh: async () => undefined,
        snapshot: new Map([[ordered.id, ordered]]),
      } as unknown as ActiveDestinations,
      { id: 1, isAlarmed: false, lost: [], earlyMs: 0 } as unknown as WorkerPresence,
      pendingFrom,
      Config.from({ CDP_DATABASE_URL: test.url }),
    );
  }

  /** What workers send all the time. */
  async function statements(): Promise<Sent[]> {
    const sent: Sent[] = [];
    const recorder = {
      query: async (statement: PreparedStatement, params: readonly unknown[] = []) => {
        sent.push([statement, params]);
        return [];
      },
    };
    const ledger = aLedger(recorder);
    await ledger.claimDeliveries([uuidv7(), uuidv7()]);
    await ledger.claimDue(destinationId, 100);
    await ledger.claimNext(destinationId, 60_000);
    await ledger.findBacklogs();
    await ledger.hasPending(destinationId);
    await ledger.claimHeads(ordered, ['1', '2']);
    await ledger.findHeads(ordered);
    for (const afterwards of ['pass', 'dead_letter'] as const)
      await endWaits(destinationId, { ...order, afterwards }, pendingFrom.id, recorder);
    await leaveOrder(destinationId, 100, pendingFrom.id, recorder);
    const config = Config.from({ CDP_DATABASE_URL: test.url });
    const parts = { ...recorder, transaction: (work: (tx: Tx) => unknown) => work(recorder) };
    await new BulkRetries(parts as unknown as Database, pendingFrom, config).hurryAll(
      { destinationId, reason: null },
      () => Promise.resolve(),
    );
    const send = (...asked: Sent): number => sent.push(asked);
    const tx = { send } as unknown as OpenTransaction;
    followMerged({ destinationIds: [destinationId], from: ['1'], into: ['2'] }, pendingFrom.id, tx);
    await ledger.defer([uuidv7()]);
    await releaseDeliveries([uuidv7()], 1, recorder);
    await secureDeliveries(
      { leaseMs: 1_000, workerId: 1, lost: [] },
      [{ id: uuidv7(), attempts: 0 }],
      recorder,
    );
    await recallMisdated(1_000, pendingFrom.id, recorder);
    await cancelOrphans(100, pendingFrom.id, recorder);
    await expireDeliveries(100, { pendingFrom: pendingFrom.id, beforeMs: Date.now() - DAY_MS }, recorder);
    const outcome = {
      delivery: { id: uuidv7() },
      state: 'delivered',
      attempt: 1,
      startedAt: new Date(),
      latency: {},
    } as unknown as DeliveryOutcome;
    await recordOutcomes([outcome], 1_000, recorder);
    await recordAndLogOutcomes([outcome], 1_000, recorder);
    const states = { obstacles: () => Promise.resolve(new Map()) } as unknown as DestinationStates;
    const metrics = new Metrics();
    expect(new BacklogMetrics(metrics, recorder as unknown as Database, states, pendingFrom)).toBeDefined();
    await metrics.text();
    return sent;
  }

  async function partitionsOf(text: string, params: readonly unknown[]): Promise<number> {
    await client.query(`prepare counted as ${text}`);
    await client.query('begin');
    try {
      const given = params.length === 0 ? '' : `(${params.map(literal).join()})`;
      await client.query(`explain execute counted${given}`);
      const { rows } = await client.query(
        `select count(distinct relation)::int as count from pg_locks
         where pid = pg_backend_pid() and relation in (select inhrelid from pg_inherits where inhparent = 'delivery'::regclass)`,
      );
      return rows[0].count;
    } finally {
      await client.query('rollback');
      await client.query('deallocate counted');
    }
  }

  it.each(['force_generic_plan', 'force_custom_plan'])(
    'plans and locks no more of them than there is something pending in, with %s',
    async (mode) => {
      await aDelivery(0);
      expect(await tidyIfDue()).toBe(true);
      await pendingFrom.refresh();
      await client.query(`set plan_cache_mode = ${mode}`);
      const counts: Record<string, number> = {};
      for (const [{ name, text }, params] of await statements()) {
        if (/\bdelivery\b/.test(text)) counts[name] = await partitionsOf(text, params);
      }
      expect(Object.keys(counts).length).toBe(25);
      expect(Object.entries(counts).filter(([, count]) => count > RECENT)).toEqual([]);
    },
  );

  it('looks at a page of what is new without the old ones, and finds these where they are asked for', async () => {
    const made: string[] = [];
    for (const daysAgo of [80, 40, 5, 5, 0, 0, 0]) made.push(await aDelivery(daysAgo, 'delivered'));
    // Those of one millisecond are in the order of the rest of their ids.
    const ids = made.toSorted().toReversed();
    const listed: number[] = [];
    const counting: Connection = {
      client: {
        query: async (text, values = []) => {
          if (text.includes('"delivery"')) listed.push(await partitionsOf(text, values));
          return client.query(text, values);
        },
      },
      query: (statement, params) => database.query(statement, params),
    };
    const reader = aReader(counting);
    await client.query('set plan_cache_mode = auto');
    const idsOf = async (limit: number, cursor?: string): Promise<string[]> =>
      (await reader.find(cursor === undefined ? { destinationId } : { destinationId, cursor }, limit)).map(
        ({ id }) => id,
      );
    expect(new Set(await idsOf(3))).toEqual(new Set(ids.slice(0, 3)));
    expect(listed).toEqual([expect.any(Number)]);
    expect(listed[0]).toBeLessThanOrEqual(RECENT);
    expect(new Set(await idsOf(100))).toEqual(new Set(ids));
    expect(await idsOf(100, ids[4])).toEqual(ids.slice(5));
    listed.length = 0;
    const [from, to] = [41, 39].map((daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString());
    expect(await reader.find({ destinationId, from: from ?? '', to: to ?? '' }, 100)).toHaveLength(1);
    expect(listed.filter((count) => count > RECENT)).toEqual([]);
  });

  it('finds dead letters of a reason, of any day and page by page', async () => {
    const dead: string[] = [];
    for (const daysAgo of [80, 40, 40, 5, 0]) {
      const id = await aDelivery(daysAgo, 'dead');
      await client.query('update delivery set error_class = $2 where id = $1', [id, 'dns']);
      dead.push(id);
    }
    const other = await aDelivery(0, 'dead');
    await client.query('update delivery set error_class = $2 where id = $1', [other, 'tls']);
    const reader = aReader(database);
    const find = async (limit: number, range: { cursor?: string; from?: string; to?: string } = {}) =>
      (await reader.find({ state: 'dead', reason: 'dns', ...range }, limit)).map(({ id }) => id);
    const ids = dead.toSorted().toReversed();
    expect(await find(100)).toEqual(ids);
    expect(await find(2)).toEqual(ids.slice(0, 2));
    expect(await find(100, { cursor: ids[1] ?? '' })).toEqual(ids.slice(2));
    const [from, to] = [41, 39].map((daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString());
    expect(await find(100, { from: from ?? '', to: to ?? '' })).toEqual(ids.slice(2, 4));
  });

  it('looks for dead letters of any reason in the index of both', async () => {
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state, error_class)
       select id::uuid, $1, 'u:1', now(), id::uuid, 'track', now(), 'dead', 'http_5xx' from unnest($2::text[]) as id`,
      [destinationId, Array.from({ length: 2_000 }, () => uuidv7())],
    );
    await client.query('analyze delivery');
    const sent: [Statement, readonly unknown[]][] = [];
    const noting = {
      query: async (statement: Statement, params: readonly unknown[]) => {
        sent.push([statement, params]);
        return [];
      },
    } as unknown as Connection;
    await aReader(noting).find({ state: 'dead', reason: 'timeout' }, 100);
    const [[{ text }, params] = [{ text: '' }, []]] = sent;
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare listed as ${text}`);
    const values = params.map((value) => `'${String(value)}'`).join();
    const { rows } = await client.query(`explain execute listed(${values})`);
    await client.query('deallocate listed');
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    const today = `delivery_d1_${Math.floor(Date.now() / DAY_MS)}`;
    expect(plan.match(new RegExp(`\\b${today}_\\w+_idx\\d*`, 'g'))).toEqual([`${today}_error_class_id_idx`]);
  });

  it('is planned anew a few times only for what people look up in all of it', async () => {
    const fresh = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    try {
      const kept = await fresh.transaction(async (tx) => {
        const reader = aReader(tx);
        for (let n = 0; n < 8; n += 1) {
          await reader.find({ destinationId, userId: String(n) }, 100);
          await reader.find({ state: 'dead', reason: `http_${n}` }, 100);
          await readBacklogs([destinationId], 1_000 * n, pendingFrom.id, tx);
          const event = { subject: userSubject(String(n)), timestamp: new Date().toISOString() };
          await findDeliveriesOfEvent({ ...event, id: lowestId(Date.now() - 50 * DAY_MS) }, tx);
          await countDeliveriesOfPeople([userSubject(String(n))], 100, tx);
          await eraseDeliveries([userSubject(String(n))], 100, tx);
        }
        return tx.query<{ name: string; plannedAnew: number }>(
          `select regexp_replace(name, '_[0-9a-f]{32}$|_[0-9]+$', '') as name, custom_plans::int as "plannedAnew"
           from pg_prepared_statements where statement ~ '\\mdelivery\\M' order by name`,
        );
      });
      expect(kept.map(({ name }) => name)).toEqual([
        'count_deliveries_of_people',
        'find_deliveries_of_event',
        'find_deliveries_of_people',
        'list_deliveries',
        'list_deliveries',
        'read_backlogs',
      ]);
      expect(kept.filter(({ plannedAnew }) => plannedAnew > 5)).toEqual([]);
    } finally {
      await fresh.close();
    }
  });

  it('knows from which day on something is pending, of old deliveries too', async () => {
    const old = await aDelivery(70);
    await aDelivery(0);
    await tidyIfDue();
    expect(await daysLookedAt()).toBe(70);
    await client.query(`update delivery set state = 'delivered' where id = $1`, [old]);
    await client.query(`update delivery_upkeep set done_at = '-infinity'`);
    await tidyIfDue();
    expect(await daysLookedAt()).toBe(1);
  });

  it.each<[string, (id: string, tx: Tx) => Promise<unknown>]>([
    ['one', (id, tx) => reopenDeadLetter(id, { maxAttempts: 3 }, tx)],
    [
      'many',
      (id, tx) =>
        reopenDeadLetters(
          { destinationId, fromId: lowestId(0), toId: id.slice(0, -1) + 'f', reason: null, limit: 10 },
          { maxAttempts: 3 },
          tx,
        ),
    ],
  ])('finds an old delivery at once that is replayed, alone or with others: %s', async (_, reopen) => {
    await client.query(
      `insert into destination (id, name, type, secrets_sealed) values ($1, 'Receiver', 'webhook', '') on conflict do nothing`,
      [destinationId],
    );
    const id = `${(await aDelivery(60, 'dead')).slice(0, -1)}0`;
    await client.query(`update delivery set id = $1 where destination_id = $2`, [id, destinationId]);
    await tidyIfDue();
    expect(await daysLookedAt()).toBe(1);
    await database.transaction((tx) => reopen(id, tx));
    await eventually(async () => {
      const claimed = await aLedger(database).claimDue(destinationId, 10);
      expect(claimed.map((delivery) => delivery.id)).toEqual([id]);
    });
  });

  it('does not miss a delivery that is replayed while somebody looks for the oldest', async () => {
    const id = await aDelivery(60, 'dead');
    const { rows } = await client.query('select reopened::text from delivery_upkeep');
    await reopenDeadLetter(id, { maxAttempts: 3 }, database);
    await client.query(`update delivery set state = 'delivered' where id = $1`, [id]);
    // As found before it was replayed.
    await advancePendingFrom(rows[0].reopened, Date.now(), database);
    expect(await daysLookedAt()).toBeGreaterThanOrEqual(60);
  });

  it('has nothing to probe with that a job may be trying, but what waits for longer', async () => {
    const probed = uuidv7();
    const insert = async (dueInSeconds: number): Promise<string> => {
      const id = uuidv7();
      await client.query(
        `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
         values ($1, $2, 'u:1', now(), $1, 'track', now() + make_interval(secs => $3))`,
        [id, probed, dueInSeconds],
      );
      return id;
    };
    await pendingFrom.refresh();
    const claim = async (): Promise<string[]> =>
      (await aLedger(database).claimNext(probed, 120_000)).map(({ id }) => id);
    // As a first try that is under way, and one that waits for the next one.
    await insert(20);
    expect(await claim()).toEqual([]);
    const waiting = await insert(60);
    expect(await claim()).toEqual([waiting]);
    const due = await insert(-1);
    expect(await claim()).toEqual([due]);
  });

  it('has heads at once in an order that was switched on while the clock was ahead', async () => {
    const id = uuidv7();
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, person, place)
       values ($1, $2, 'u:1', now(), $1, 'track', 'infinity', 7, 0)`,
      [uuidv7(), id],
    );
    await pendingFrom.refresh();
    const heads = async (aheadMs: number): Promise<readonly string[]> =>
      (await aLedger(database).findHeads({ ...ordered, id, orderedAtMs: Date.now() + aheadMs })).people;
    expect(await heads(0)).toEqual([]);
    expect(await heads(6 * 60 * 60_000)).toEqual(['7']);
  });

  it('is looked after by one worker a minute, also after a clock that was ahead', async () => {
    await client.query(
      `insert into delivery_minute values ($1, now() - interval '3 days', 'delivered', 1, 1)`,
      [destinationId],
    );
    const workers = await Promise.all(Array.from({ length: 5 }, tidyIfDue));
    expect(workers.filter(Boolean)).toHaveLength(1);
    expect((await client.query('select from delivery_minute')).rows).toHaveLength(0);
    await client.query(`update delivery_upkeep set done_at = now() + interval '1 day'`);
    expect(await tidyIfDue()).toBe(true);
  });

  it('forgets minutes in parts, after it has looked for what is pending', async () => {
    await aDelivery(0);
    await client.query(
      `insert into delivery_minute select gen_random_uuid(), now() - interval '3 days', 'delivered', 1, 1
       from generate_series(1, 12000)`,
    );
    await client.query(`
      create function limit_parts() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 5000 or (select count(*) from delivery_minute) <= 1000 then
          raise 'too many at once, or a part that cannot be deleted';
        end if;
        return null;
      end $$`);
    await client.query(`
      create trigger limit_parts after delete on delivery_minute referencing old table as gone
      for each statement execute function limit_parts()`);
    try {
      await expect(tidyIfDue()).rejects.toThrow('a part that cannot be deleted');
      expect(await daysLookedAt()).toBe(1);
      expect((await client.query('select from delivery_minute')).rows).toHaveLength(2_000);
    } finally {
      await client.query('drop function limit_parts cascade');
    }
  });
});

function literal(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return `'${Array.isArray(value) ? `{${value.join()}}` : (value as string | number).toString()}'`;
}
