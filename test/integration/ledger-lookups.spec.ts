import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import { findFreeByIds, leaseByIds, takeByIds } from '../../src/delivery/ledger/claiming/claim-deliveries';
import { noTriesOf } from '../../src/delivery/ledger/claiming/known-tries';
import { secureDeliveries } from '../../src/delivery/ledger/claiming/secure-deliveries';
import { cancelDeliveries } from '../../src/delivery/ledger/ending/cancel-deliveries';
import type { DeliveryOutcome } from '../../src/delivery/ledger/recording/delivery-outcome';
import { recordAndLogOutcomes, recordOutcomes } from '../../src/delivery/ledger/recording/record-outcomes';
import { deferDeliveries } from '../../src/delivery/ledger/waiting/defer-deliveries';
import { parkAndLogProbes } from '../../src/delivery/ledger/waiting/park-probe';
import { releaseDeliveries } from '../../src/delivery/ledger/waiting/release-deliveries';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { KeptPlans, Sending, type Sent } from '../support/kept-plans';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

/**
 * Deliveries of the morning, all made, when PostgreSQL plans the statements. Before 17 it takes looking up a list for
 * dearer than reading an index of fewer than that.
 */
const morningOf = (version: number): number => (version >= 170_000 ? 50 : 200);
/** What waits once a receiver is away, or more comes in than is sent. */
const WAITING = 5_000;
const ASKED_FOR = 20;

/**
 * PostgreSQL keeps the plan that it made in a calm minute, also for the hour in which a hundred thousand wait.
 */
describe.each(['looked at', 'never looked at'])(
  'deliveries that are found by their ids, in a table %s',
  (how) => {
    let test: ConnectedDatabase;
    let database: Database;
    let client: PoolClient;
    let plans: KeptPlans;
    const destinationId = uuidv7();

    beforeAll(async () => {
      test = await connectTestDatabase();
      database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
      client = await database.pool.connect();
      await client.query('create table delivery_today partition of delivery default');
      await client.query('create table delivery_attempt_today partition of delivery_attempt default');
      await client.query('alter table delivery_today set (autovacuum_enabled = false)');
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int as version`,
      );
      await insert(morningOf(rows[0]?.version ?? 0), 'delivered');
      if (how === 'looked at') await client.query('vacuum analyze delivery');
      plans = await KeptPlans.of(client);
    });
    afterAll(async () => {
      client.release();
      await database.close();
      await test.drop();
    });

    async function insert(count: number, state: string): Promise<string[]> {
      const ids = Array.from({ length: count }, () => uuidv7());
      await client.query(
        `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state)
       select id::uuid, $1, 'u:1', now(), id::uuid, 'track', now() + interval '1 hour', $3 from unnest($2::text[]) as id`,
        [destinationId, ids, state],
      );
      return ids;
    }

    /** What is sent for deliveries whose ids are known. */
    async function statementsAbout(ids: readonly string[]): Promise<Map<string, Sent>> {
      const { sent, tx } = new Sending();
      const tries = noTriesOf(ids);
      const claimant = { leaseMs: 1_000, workerId: 1, lost: [] };
      const outcomes = ids.map(
        (id) =>
          ({
            delivery: { id },
            state: 'delivered',
            attempt: 1,
            startedAt: new Date(),
            totalMs: 1,
            latency: {},
          }) as unknown as DeliveryOutcome,
      );
      await takeByIds(ids, tries, 1_000, tx);
      await leaseByIds(claimant, ids, tries, tx);
      await findFreeByIds(claimant, ids, tries, tx);
      await secureDeliveries(
        claimant,
        ids.map((id) => ({ id, attempts: 0 })),
        tx,
      );
      await releaseDeliveries(ids, 1, tx);
      await deferDeliveries(ids, tx, tries);
      await recordOutcomes(outcomes, 1_000, tx);
      await recordAndLogOutcomes(outcomes, 1_000, tx);
      await parkAndLogProbes(outcomes, tx);
      await cancelDeliveries(ids, tx);
      return sent;
    }

    it('are each looked up, whatever waits beside them', async () => {
      const before = await statementsAbout([uuidv7(), uuidv7()]);
      expect(before.size).toBe(10);
      for (const sent of before.values()) await plans.make(sent);
      const waiting = await insert(WAITING, 'pending');
      // The first and the last too: what is between them is not asked for.
      const ids = Array.from(
        { length: ASKED_FOR },
        (_, n) => waiting[Math.floor((n * (WAITING - 1)) / (ASKED_FOR - 1))] ?? '',
      );
      const readFar: Record<string, number> = {};
      for (const [name, sent] of await statementsAbout(ids)) {
        const most = await plans.mostRead(sent, /^delivery_today/);
        if (most === 0 || most > ASKED_FOR) readFar[name] = most;
      }
      expect(readFar).toEqual({});
    });
  },
);
