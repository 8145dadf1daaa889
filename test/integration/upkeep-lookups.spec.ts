import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import { BatchCloser } from '../../src/delivery/batches/batch-closer';
import { readBatchEvents } from '../../src/delivery/batches/batch-events';
import { claimBatch } from '../../src/delivery/ledger/batches/claim-batch';
import { dissolveBatch } from '../../src/delivery/ledger/batches/dissolve-batch';
import { extendBatch } from '../../src/delivery/ledger/batches/extend-batch';
import { giveBackBatch } from '../../src/delivery/ledger/batches/give-back-batch';
import { hurryBatchOf } from '../../src/delivery/ledger/batches/hurry-batches';
import { splitBatch } from '../../src/delivery/ledger/batches/split-batch';
import { discardDeadLetter } from '../../src/delivery/ledger/dead-letters/discard-dead-letters';
import { findDeadAmong, readDeadLetters } from '../../src/delivery/ledger/dead-letters/read-dead-letters';
import { reopenDeadLetter } from '../../src/delivery/ledger/dead-letters/reopen-dead-letters';
import { cancelOrphans } from '../../src/delivery/ledger/ending/cancel-deliveries';
import { endWaits } from '../../src/delivery/ledger/ending/end-waits';
import { findBacklogs, findOrderedBacklogs } from '../../src/delivery/ledger/waiting/find-backlogs';
import { followMerged } from '../../src/delivery/ledger/waiting/follow-merged';
import { hurryDelivery } from '../../src/delivery/ledger/waiting/hurry-deliveries';
import { readBacklogs } from '../../src/delivery/stats/read-backlogs';
import { Waits } from '../../src/delivery/stats/waits';
import { countEvents } from '../../src/events/counts/count-events';
import { lowestId } from '../../src/events/partitions/partition-plan';
import { takeUntoldChanges } from '../../src/platform/audit/take-untold';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { KeptPlans, Sending, type Sent } from '../support/kept-plans';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

/** Rows of each table in the morning, all of them done with; see `ledger-lookups.spec.ts`. */
const morningOf = (version: number): number => (version >= 170_000 ? 50 : 200);
/** Rows that come since, of each kind; next to none of them is asked about. */
const CROWD = 3_000;
/** Enough for a look at each of a few rows in several ways, and nothing beside those that came. */
const MOST_READ = 100;

/** What is asked about. */
interface Asked {
  readonly destinationId: string;
  /** One with an order. */
  readonly orderedId: string;
  /** A dead letter of the first. */
  readonly deadId: string;
  /** Of a batch of it, the first with all that came between. */
  readonly batchedIds: readonly [string, string];
  readonly batchId: string;
}

const GROWN = /^(delivery_today|delivery_batch|audit_entry|event_minute)$/;

describe.each(['looked at', 'never looked at'])('what is done now and then, in tables %s', (how) => {
  let test: ConnectedDatabase;
  let database: Database;
  let client: PoolClient;

  beforeAll(async () => {
    test = await connectTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    client = await database.pool.connect();
    await client.query('create table delivery_today partition of delivery default');
    for (const table of ['delivery_today', 'delivery_batch', 'audit_entry', 'event_minute'])
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  });
  afterAll(async () => {
    client.release();
    await database.close();
    await test.drop();
  });

  it('reads few rows, however many have come since it was planned', async () => {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if (how === 'looked at') {
      await addDeliveries(morningOf(rows[0]?.version ?? 0), { state: `'delivered'` });
      await client.query('vacuum analyze');
    }
    const plans = await KeptPlans.of(client);
    const nothing = {
      destinationId: uuidv7(),
      orderedId: uuidv7(),
      deadId: uuidv7(),
      batchedIds: [uuidv7(), uuidv7()],
      batchId: uuidv7(),
    } as const;
    const before = await statementsAbout(nothing);
    expect(before.size).toBe(24);
    for (const sent of before.values()) await plans.make(sent);
    const asked = await grow();
    const readFar: Record<string, number> = {};
    for (const [name, sent] of await statementsAbout(asked)) {
      const most = await plans.mostRead(sent, GROWN);
      if (most > MOST_READ) readFar[name] = most;
    }
    expect(readFar).toEqual({});
  });

  /** What is sent for these, by the modules that send it. */
  async function statementsAbout({
    destinationId,
    orderedId,
    deadId,
    batchedIds,
    batchId,
  }: Asked): Promise<Map<string, Sent>> {
    const { sent, tx } = new Sending({ read_batch_ids: [{ ids: batchedIds }] });
    const [firstId, lastId] = batchedIds;
    const pendingFrom = lowestId(0);

    await hurryDelivery(firstId, 1_000, tx);
    await reopenDeadLetter(deadId, { maxAttempts: 3 }, tx);
    await discardDeadLetter(deadId, tx);
    await readDeadLetters([deadId], tx);
    await findDeadAmong([deadId], tx);

    const batch = {
      id: batchId,
      destinationId,
      sourceId: 'x',
      hour: new Date(),
      eventCount: 2,
      bytes: 2,
      firstId,
      lastId,
    };
    await claimBatch(batchId, { id: 1, lost: [] }, tx);
    await extendBatch(batchId, 1, tx);
    await giveBackBatch(batchId, 1, tx);
    await dissolveBatch(batchId, tx);
    await splitBatch(batch, 1_000, tx);
    await hurryBatchOf(firstId, tx);
    for await (const _ of readBatchEvents(batch, tx, { mapEvent: undefined, gone: new Set() })) break;

    await findBacklogs({ leaseMs: 1_000, lost: [], earlyMs: 0, pendingFrom }, tx);
    await findOrderedBacklogs([orderedId], pendingFrom, tx);
    const config = { delivery: { graceMs: 1_000 } } as never;
    await new BatchCloser(tx, {} as never, { id: pendingFrom } as never, config).withWaiting([destinationId]);
    await cancelOrphans(10, pendingFrom, tx);
    const order = { maxWaitSeconds: 60, maxWaiting: 10, afterwards: 'pass' } as never;
    await endWaits(orderedId, order, pendingFrom, tx);
    followMerged({ destinationIds: [orderedId], from: ['-1'], into: ['-2'] }, pendingFrom, tx);
    await readBacklogs([destinationId], 10, pendingFrom, tx);
    const destinations = { findOne: async () => undefined } as never;
    const waits = new Waits(tx, destinations, {} as never, {} as never, { id: pendingFrom } as never, config);
    await waits.of({ id: firstId, state: 'pending', destinationId } as never);

    await takeUntoldChanges(10, tx);
    await countEvents([{ sourceId: uuidv7(), outcome: 'accepted', count: 1 }], tx);
    sent.delete('read_batch_ids');
    return sent;
  }

  /** Everything of others, and a little that is asked about. */
  async function grow(): Promise<Asked> {
    const some = 5;
    const { destinationId, ids } = await addDeliveries(some, { state: `'dead'` });
    const waiting = await addDeliveries(1, {}, destinationId);
    await addDeliveries(CROWD, {});
    await addDeliveries(CROWD, { state: `'dead'` });
    await addDeliveries(CROWD, { attempts: '1', due_at: `now() + interval '1 hour'` });
    const ordered = await addDeliveries(CROWD, { person: 'n', place: 'n', due_at: `'infinity'` });
    const last = await addDeliveries(1, {}, destinationId);
    const many = `from generate_series(1, ${CROWD}) as n`;
    for (const text of [
      `insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes, due_at, leased_by)
       select gen_random_uuid(), gen_random_uuid(), 'x', now(), '{}', 1, now() + interval '1 hour', n % 2 ${many}`,
      `insert into audit_entry (id, actor, request_id, action, resource, resource_id, untold)
       select gen_random_uuid(), 'a', 'r', 'created', 'source', n, case when n < ${some} then true end ${many}`,
      `insert into event_minute (minute, source_id, outcome, count) select now(), gen_random_uuid(), 'accepted', 1 ${many}`,
    ])
      await client.query(text);
    const batchedIds = [waiting.ids[0] ?? '', last.ids[0] ?? ''] as const;
    const { rows } = await client.query<{ id: string }>(
      `insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes)
       values (gen_random_uuid(), $1, 'x', now(), $2, 1) returning id`,
      [destinationId, batchedIds],
    );
    return {
      destinationId,
      orderedId: ordered.destinationId,
      deadId: ids[0] ?? '',
      batchedIds,
      batchId: rows[0]?.id ?? '',
    };
  }

  /** Each of somebody else, in the order of their ids; of a destination of their own, unless it is said. */
  async function addDeliveries(
    count: number,
    columns: Readonly<Record<string, string>>,
    destinationId = uuidv7(),
  ): Promise<{ destinationId: string; ids: readonly string[] }> {
    await client.query(
      `insert into destination (id, name, type, secrets_sealed) values ($1, 'some', 'webhook', '') on conflict do nothing`,
      [destinationId],
    );
    const ids = Array.from({ length: count }, () => uuidv7());
    const values = { due_at: 'now()', ...columns };
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, ${Object.keys(values).join()})
       select id, $1, 'u:' || n, now(), id, 'track', ${Object.values(values).join()}
       from unnest($2::uuid[]) with ordinality as i(id, n)`,
      [destinationId, ids],
    );
    return { destinationId, ids };
  }
});
