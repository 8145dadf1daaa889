import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import {
  type BatchClaimant,
  claimBatch,
  claimNextBatch,
} from '../../src/delivery/ledger/batches/claim-batch';
import { closeBatch } from '../../src/delivery/ledger/batches/close-batch';
import { endBatch } from '../../src/delivery/ledger/batches/end-batch';
import { findDueBatches } from '../../src/delivery/ledger/batches/find-due-batches';
import { giveBackBatch } from '../../src/delivery/ledger/batches/give-back-batch';
import { reopenBatches } from '../../src/delivery/ledger/batches/reopen-batches';
import { freeTurns } from '../../src/delivery/ledger/waiting/free-turns';
import { SwitchedOn } from '../../src/delivery/order/switched-on';
import type { ActiveDestination } from '../../src/destinations/active-destinations';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const WORKER: BatchClaimant = { id: 1, lost: [] };
const AT_ONCE = 4;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

describe('batches that are due', () => {
  let test: ConnectedDatabase;
  let client: Client;
  let database: Database;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectTestDatabase();
    client = test.client;
    await client.query('create table delivery_today partition of delivery default');
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
  });
  beforeEach(() => {
    destinationId = uuidv7();
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  /** Closed in one transaction: due at the same time. */
  async function closeTogether(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await client.query(
      `insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes)
       select id, $1, $2, now(), array[id], 1 from unnest($3::uuid[]) as id`,
      [destinationId, uuidv7(), ids],
    );
    return ids;
  }

  async function findDue(): Promise<string[]> {
    return (await findDueBatches([destinationId], WORKER.lost, database)).map(({ id }) => id);
  }

  it('are four of a destination, and stay those until they are claimed, however the rows lie', async () => {
    const ids = await closeTogether(10);
    const first = await findDue();
    expect(first).toEqual(ids.slice(0, AT_ONCE));
    // An update moves a row behind all others.
    for (const moved of ids.slice(0, 6)) {
      await client.query('update delivery_batch set updated_at = now() where id = $1', [moved]);
      expect(await findDue()).toEqual(first);
    }
    for (const [claimed, id] of first.toReversed().entries()) {
      expect(await claimBatch(id, WORKER, database)).toMatchObject({ id });
      expect(await findDue()).toEqual(first.slice(0, AT_ONCE - claimed - 1));
    }
    expect(await findDue()).toEqual([]);
  });

  it('are those that a replay reopens, also when it meets the end of their sending', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const batch = (await claimBatch(id, WORKER, database))!;
    const replayed = new Map([[id, [batch.firstId]]]);
    let reopening: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await endBatch(batch, { isSent: true, waitMs: 0 }, tx);
      reopening = database.transaction((other) => reopenBatches(replayed, other));
      await eventually(async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      });
    });
    await reopening;
    expect(await findDue()).toEqual([id]);
  });

  it('have their place again when they are given back', async () => {
    const [first, second] = (await closeTogether(2)) as [string, string];
    expect(await claimNextBatch(destinationId, WORKER, database)).toMatchObject({ id: first });
    await giveBackBatch(first, WORKER.id, database);
    expect(await findDue()).toEqual([first, second]);
    expect(await claimNextBatch(destinationId, WORKER, database)).toMatchObject({ id: first });
  });

  it('keep an order from beginning until they are sent', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const order = { by: 'person', afterwards: 'pass', maxWaitSeconds: 3_600, maxWaiting: 100 } as const;
    const orderedAtMs = Date.now() - 60_000;
    const destination = { id: destinationId, order, orderedAtMs } as unknown as ActiveDestination;
    const switchedOn = new SwitchedOn(database);
    expect(await switchedOn.hasBegun(destination, LOWEST_ID)).toBe(false);
    await endBatch((await claimBatch(id, WORKER, database))!, { isSent: true, waitMs: 0 }, database);
    expect(await switchedOn.hasBegun(destination, LOWEST_ID)).toBe(true);
  });

  it('keep what had a turn in an order that is no more', async () => {
    const id = uuidv7();
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, person, place)
       values ($1, $2, 'u:1', now(), $1, 'track', now(), 7, 8)`,
      [id, destinationId],
    );
    const batch = {
      id: uuidv7(),
      destinationId,
      sourceId: uuidv7(),
      hour: new Date(),
      deliveryIds: [id],
      bytes: 1,
    };
    await database.transaction((tx) => closeBatch(batch, tx));
    await freeTurns(destinationId, 100, LOWEST_ID, database);
    const { rows } = await client.query(
      `select due_at = 'infinity' as waits, person, batch_id from delivery where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ waits: true, person: null, batch_id: batch.id }]);
  });

  it('are taken in the same order by who goes on with the next', async () => {
    const ids = await closeTogether(6);
    await client.query('update delivery_batch set updated_at = now() where id = $1', [ids[0]]);
    for (const id of ids) {
      expect(await claimNextBatch(destinationId, WORKER, database)).toMatchObject({ id });
    }
  });
});
