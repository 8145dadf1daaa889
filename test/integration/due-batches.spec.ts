import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import type { BatchedDestination } from '../../src/delivery/delivery-modes';
import {
  type BatchClaimant,
  claimBatch,
  claimNextBatch,
  type ClaimedBatch,
} from '../../src/delivery/ledger/batches/claim-batch';
import { RetryableDeliveryError } from '../../src/connectors/delivery-error';
import { BatchAttempts } from '../../src/delivery/batches/batch-attempts';
import { BatchStanding } from '../../src/delivery/batches/batch-standing';
import { recordBatch } from '../../src/delivery/batches/record-batch';
import { closeBatch } from '../../src/delivery/ledger/batches/close-batch';
import { dissolveBatch } from '../../src/delivery/ledger/batches/dissolve-batch';
import { endBatch } from '../../src/delivery/ledger/batches/end-batch';
import { extendBatch } from '../../src/delivery/ledger/batches/extend-batch';
import { findDueBatches } from '../../src/delivery/ledger/batches/find-due-batches';
import { giveBackBatch } from '../../src/delivery/ledger/batches/give-back-batch';
import { hurryBatches } from '../../src/delivery/ledger/batches/hurry-batches';
import { reopenBatches } from '../../src/delivery/ledger/batches/reopen-batches';
import { leaveOrder } from '../../src/delivery/ledger/waiting/leave-order';
import { SwitchedOn } from '../../src/delivery/order/switched-on';
import type { Sender } from '../../src/delivery/sending/sender';
import type { ActiveDestination } from '../../src/destinations/active-destinations';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { connectLedger, type LedgerDatabase } from '../support/ledger-database';

const WORKER: BatchClaimant = { id: 1, lost: [] };
const AT_ONCE = 4;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

describe('batches that are due', () => {
  let test: LedgerDatabase;
  let client: Client;
  let config: Config;
  let database: Database;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectLedger();
    ({ client, config, database } = test);
  });
  beforeEach(() => {
    destinationId = uuidv7();
  });
  afterAll(() => test.drop());

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

  /** One that is pending. */
  async function aDelivery(given: { id: string; batchId: string; dueAt: string }): Promise<void> {
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, batch_id)
       values ($1, $2, 'u:1', now(), $1, 'track', $4::timestamptz, $3)`,
      [given.id, destinationId, given.batchId, given.dueAt],
    );
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

  it('are all that were put off when the destination is back, but for events that were tried alone', async () => {
    const [alone, untried, several] = (await closeTogether(3)) as [string, string, string];
    await client.query(
      `update delivery_batch set due_at = now() + interval '1 hour', tries = case when id = $1 then 0 else 1 end,
         delivery_ids = case when id = $2 then array[id, id] else delivery_ids end
       where destination_id = $3`,
      [untried, several, destinationId],
    );
    await hurryBatches(destinationId, database);
    expect(await findDue()).toEqual([untried, several]);
    expect(await findDue()).not.toContain(alone);
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

  it('are those to which a replay brings something back while the end of their sending is recorded', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const batch = (await claimBatch(id, WORKER, database))!;
    const standing = await BatchStanding.read(batch, database);
    const outcomeOf = (): never => {
      throw new Error('There is none whose try it was.');
    };
    await client.query('begin');
    await client.query('select from delivery_batch where id = $1 for update', [id]);
    const recorded = recordBatch({ batch, standing, outcomeOf }, database);
    await eventually(async () => {
      const { rows } = await client.query(`select from pg_locks where not granted`);
      expect(rows).toHaveLength(1);
    });
    await aDelivery({ id: batch.firstId, batchId: id, dueAt: 'infinity' });
    await client.query('commit');
    await recorded;
    expect(await findDue()).toEqual([id]);
  });

  it('are not hidden by those of a few destinations', async () => {
    const crowd: string[] = [];
    while (crowd.length < 30) {
      destinationId = uuidv7();
      await closeTogether(AT_ONCE);
      crowd.push(destinationId);
    }
    destinationId = uuidv7();
    const [last] = await closeTogether(1);
    const due = await findDueBatches([...crowd, destinationId], WORKER.lost, database);
    expect(due.map(({ id }) => id)).toContain(last);
  });

  it('are let go while they wait for their next try, and not while they are sent', async () => {
    const [waiting, sent] = (await closeTogether(2)) as [string, string];
    const first = (await claimBatch(waiting, WORKER, database))!;
    await endBatch(first, { isSent: false, waitMs: 60_000 }, database);
    await client.query(`update delivery_batch set state = 'closed' where id = $1`, [waiting]);
    await claimBatch(sent, WORKER, database);
    for (const id of [waiting, sent]) await dissolveBatch(id, database);
    const { rows } = await client.query('select id from delivery_batch where destination_id = $1', [
      destinationId,
    ]);
    expect(rows).toEqual([{ id: sent }]);
  });

  it('are due when their try has said, whatever renews its lease late', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const batch = (await claimBatch(id, WORKER, database))!;
    await aDelivery({ id: batch.firstId, batchId: id, dueAt: 'infinity' });
    await endBatch(batch, { isSent: false, waitMs: 3_600_000 }, database);
    await extendBatch(id, WORKER.id, database);
    const { rows } = await client.query(
      `select due_at > now() + interval '50 minutes' as waits from delivery_batch where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ waits: true }]);
  });

  it('get nothing back from a replay once they are dissolved', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const { firstId } = (await claimBatch(id, WORKER, database))!;
    await endBatch({ id, firstId, lastId: firstId } as ClaimedBatch, { isSent: true, waitMs: 0 }, database);
    await aDelivery({ id: firstId, batchId: id, dueAt: 'now' });
    await client.query('delete from delivery_batch where id = $1', [id]);
    await database.transaction((tx) => reopenBatches(new Map([[id, [firstId]]]), tx));
    const { rows } = await client.query('select due_at <= now() as due from delivery where id = $1', [
      firstId,
    ]);
    expect(rows).toEqual([{ due: true }]);
  });

  it('have their place again when they are given back', async () => {
    const [first, second] = (await closeTogether(2)) as [string, string];
    expect(await claimNextBatch(destinationId, WORKER, database)).toMatchObject({ id: first });
    await giveBackBatch(first, WORKER.id, database);
    expect(await findDue()).toEqual([first, second]);
    expect(await claimNextBatch(destinationId, WORKER, database)).toMatchObject({ id: first });
  });

  it('are not tried in vain while their events cannot be read', async () => {
    const [id] = (await closeTogether(1)) as [string];
    const batch = (await claimBatch(id, WORKER, database))!;
    await aDelivery({ id: batch.firstId, batchId: id, dueAt: 'infinity' });
    const outage = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const away = Object.create(database) as Database;
    away.query = (statement, values) =>
      typeof statement === 'object' && statement.name === 'read_batch_slice'
        ? Promise.reject(outage)
        : database.query(statement, values);
    // As the real one makes it of whatever a connector throws.
    const sendBatch: Sender['sendBatch'] = async ({ events }) => {
      for await (const event of events()) expect(event).toBe('none');
      return {};
    };
    const failing: Sender['sendBatch'] = (...args) =>
      sendBatch(...args).catch(() => new RetryableDeliveryError('connector_error'));
    const none = undefined as never;
    const attempts = new BatchAttempts({ sendBatch: failing } as Sender, none, none, away, config);
    const to = { destination: {}, isRequest: true } as BatchedDestination;
    const cancel = new AbortController().signal;
    await expect(attempts.make(batch, to, { cancel, isProbe: false })).rejects.toBe(outage);
    const { rows } = await client.query('select state, attempts from delivery where batch_id = $1', [id]);
    expect(rows).toEqual([{ state: 'pending', attempts: 0 }]);
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

  it('keep what was claimed in an order that is no more', async () => {
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
    await leaveOrder(destinationId, 100, LOWEST_ID, database);
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
