import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { BATCH_LEASE_MS } from '../../src/delivery/ledger/batches/claim-batch';
import type { PendingFrom } from '../../src/delivery/ledger/pending-from';
import { BulkRetries } from '../../src/delivery/retries/bulk-retries';
import { lowestId } from '../../src/events/partitions/partition-plan';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { connectLedger, type LedgerDatabase } from '../support/ledger-database';

const PART = 3;
const uncounted = (): Promise<void> => Promise.resolve();

describe('a retry of all that waits for a destination', () => {
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

  function retriesBy(over: Pick<Database, 'query' | 'transaction'>): BulkRetries {
    return new BulkRetries(over as Database, { id: lowestId(0) } as PendingFrom, config);
  }

  function hurryAll(reason: string | null = null): Promise<number> {
    return retriesBy(database).hurryAll({ destinationId, reason }, uncounted, PART);
  }

  /** Deliveries that failed, some of them at the same time, and wait for an hour. */
  async function waitingDeliveries(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, attempts, error_class, due_at)
       select id::uuid, $1, 'u:1', now(), id::uuid, 'track', 1, 'http_5xx', now() + (1 + n / 5) * interval '1 hour'
       from unnest($2::text[]) with ordinality as made (id, n)`,
      [destinationId, ids],
    );
    return ids;
  }

  async function change(id: string | undefined, members: string): Promise<void> {
    await client.query(`update delivery set ${members} where id = $1`, [id]);
  }

  async function dueIds(): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      'select id from delivery where destination_id = $1 and due_at <= now() order by id',
      [destinationId],
    );
    return rows.map(({ id }) => id);
  }

  it('makes each due once, although it fails again before the others are', async () => {
    await waitingDeliveries(20);
    const failing: Pick<Database, 'query' | 'transaction'> = {
      query: (statement, params) => database.query(statement, params),
      transaction: async (work) => {
        const part = await database.transaction(work);
        await client.query(
          `update delivery set attempts = attempts + 1, updated_at = clock_timestamp(), due_at = now() + interval '2 hours'
           where destination_id = $1 and due_at <= now()`,
          [destinationId],
        );
        return part;
      },
    };
    expect(await retriesBy(failing).hurryAll({ destinationId, reason: null }, uncounted, PART)).toBe(20);
    const { rows } = await client.query('select distinct attempts from delivery where destination_id = $1', [
      destinationId,
    ]);
    expect(rows).toEqual([{ attempts: 2 }]);
  });

  it('leaves the tries and the age of a delivery as they are', async () => {
    const [id] = await waitingDeliveries(1);
    const read = async (): Promise<unknown[]> =>
      (await client.query('select *, null as due_at from delivery where id = $1', [id])).rows;
    const before = await read();
    expect(await hurryAll()).toBe(1);
    expect(await read()).toEqual(before);
  });

  it('is each counted once when it is asked for twice at a time', async () => {
    const ids = await waitingDeliveries(50);
    const counts = await Promise.all([hurryAll(), hurryAll(), hurryAll()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(50);
    expect(await dueIds()).toEqual(ids.toSorted());
  });

  it('leaves what is under way, about to be tried, in an order or over, and what other destinations have', async () => {
    const [leased, near, behind, fresh, dead, freed] = await waitingDeliveries(6);
    await change(leased, `leased_until = now() + interval '1 minute'`);
    await change(near, `due_at = now() + interval '20 seconds'`);
    await change(behind, `due_at = 'infinity'`);
    await change(fresh, 'attempts = 0');
    await change(dead, `state = 'dead'`);
    await change(freed, `leased_until = now() - interval '1 minute'`);
    expect(await hurryAll()).toBe(1);
    expect(await dueIds()).toEqual([freed]);
    destinationId = uuidv7();
    expect(await hurryAll()).toBe(0);
  });

  it('takes those of one reason', async () => {
    const ids = await waitingDeliveries(9);
    await change(ids[4], `error_class = 'timeout'`);
    expect(await hurryAll('timeout')).toBe(1);
    expect(await dueIds()).toEqual([ids[4]]);
    expect(await hurryAll()).toBe(8);
  });

  it('waits for no transaction that has a delivery, such as a claim', async () => {
    const [claimed, ...others] = await waitingDeliveries(9);
    await client.query('begin');
    try {
      await client.query('select from delivery where id = $1 for update', [claimed]);
      expect(await hurryAll()).toBe(8);
    } finally {
      await client.query('rollback');
    }
    expect(await dueIds()).toEqual(others.toSorted());
  });

  it('leaves a batch that a worker has claimed since it began', async () => {
    const ids = await waitingDeliveries(2);
    const batchId = uuidv7();
    await client.query(
      `insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes, tries, due_at)
       values ($1, $2, 'source', now(), $3, 2, 1, now() + interval '1 hour')`,
      [batchId, destinationId, ids],
    );
    await client.query(`update delivery set batch_id = $1, due_at = 'infinity' where id = any($2)`, [
      batchId,
      ids,
    ]);
    await client.query('begin');
    await client.query('select from delivery_batch where id = $1 for update', [batchId]);
    const hurrying = hurryAll();
    await eventually(async () => {
      const { rowCount } = await client.query('select from pg_locks where not granted');
      expect(rowCount).toBe(1);
    });
    // As another request made it due, and a worker claimed it.
    await client.query(
      `update delivery_batch set leased_by = 1, due_at = clock_timestamp() + $2 * interval '1 millisecond' where id = $1`,
      [batchId, BATCH_LEASE_MS],
    );
    await client.query('commit');
    expect(await hurrying).toBe(0);
  });
});
