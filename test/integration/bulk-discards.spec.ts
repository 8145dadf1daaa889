import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { discardAll } from '../../src/delivery/dead-letters/discard-all';
import { AuditLog } from '../../src/platform/audit/audit-log';
import type { Database } from '../../src/platform/database/database';
import { connectLedger, type LedgerDatabase } from '../support/ledger-database';

const PART = 3;
const uncounted = (): Promise<void> => Promise.resolve();

describe('discarding the dead letters of a destination', () => {
  let test: LedgerDatabase;
  let client: Client;
  let database: Database;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectLedger();
    ({ client, database } = test);
  });
  beforeEach(() => {
    destinationId = uuidv7();
  });
  afterAll(() => test.drop());

  type OwnDatabase = Pick<Database, 'query' | 'transaction'>;

  const discard = (reason: string | null = null): Promise<number> =>
    discardAll({ destinationId, reason }, uncounted, database, PART);

  /** Calls `between` after each part. */
  const pausing = (between: () => Promise<void>): OwnDatabase => ({
    query: (statement, params) => database.query(statement, params),
    transaction: async (work) => {
      const part = await database.transaction(work);
      await between();
      return part;
    },
  });

  async function deadLetters(count: number, errorClass = 'http_5xx'): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, attempts, error_class,
         due_at, state, updated_at)
       select id::uuid, $1, 'u:1', now(), id::uuid, 'track', 1, $3, now(), 'dead', clock_timestamp()
       from unnest($2::text[]) as made (id)`,
      [destinationId, ids, errorClass],
    );
    return ids;
  }

  async function idsIn(state: string): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      'select id from delivery where destination_id = $1 and state = $2 order by id',
      [destinationId, state],
    );
    return rows.map(({ id }) => id);
  }

  it('discards each, some in a transaction', async () => {
    const ids = await deadLetters(20);
    expect(await discard()).toBe(20);
    expect(await idsIn('cancelled')).toEqual(ids);
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int from delivery where destination_id = $1 group by updated_at order by 1',
      [destinationId],
    );
    expect(rows.map(({ count }) => count)).toEqual([2, 3, 3, 3, 3, 3, 3]);
    expect(await discard()).toBe(0);
  });

  it('has as many in the audit as it has discarded when its process ends midway, and does the rest when asked again', async () => {
    const ids = await deadLetters(20);
    const audit = new AuditLog();
    const actor = { subject: 'somebody', kind: 'subject', issuer: null, requestId: 'r' } as const;
    const change = { action: 'discard_dead_letters', resource: 'destination' } as const;
    const discardAudited = async (by: OwnDatabase): Promise<number> => {
      const after = { reason: null, discarded: 0 };
      const amend = await audit.recordInParts(database, actor, {
        ...change,
        resourceId: destinationId,
        after,
      });
      return discardAll(
        { destinationId, reason: null },
        (discarded, tx) => amend({ discarded }, tx),
        by,
        PART,
      );
    };
    let parts = 0;
    const ending = pausing(async () => {
      parts += 1;
      if (parts === 2) throw new Error('The process ends.');
    });
    await expect(discardAudited(ending)).rejects.toThrow('The process ends.');
    expect(await idsIn('cancelled')).toEqual(ids.slice(0, 6));
    expect(await discardAudited(database)).toBe(14);
    expect(await idsIn('cancelled')).toEqual(ids);
    const { rows } = await client.query('select after from audit_entry where resource_id = $1 order by id', [
      destinationId,
    ]);
    expect(rows.map(({ after }) => after)).toEqual([
      { reason: null, discarded: 6 },
      { reason: null, discarded: 14 },
    ]);
  });

  it('discards nothing of a part that cannot be written down', async () => {
    const ids = await deadLetters(9);
    const refusing = (total: number): Promise<void> =>
      total > PART ? Promise.reject(new Error('No entry.')) : Promise.resolve();
    await expect(discardAll({ destinationId, reason: null }, refusing, database, PART)).rejects.toThrow(
      'No entry.',
    );
    expect(await idsIn('dead')).toEqual(ids.slice(PART));
  });

  it('leaves what is given up meanwhile', async () => {
    const ids = await deadLetters(9);
    const died: string[] = [];
    const dying = pausing(async () => void died.push(...(await deadLetters(2))));
    expect(await discardAll({ destinationId, reason: null }, uncounted, dying, PART)).toBe(9);
    expect(await idsIn('cancelled')).toEqual(ids);
    expect(await idsIn('dead')).toEqual(died);
  });

  it('counts each once when it is asked for several times at a time', async () => {
    const ids = await deadLetters(50);
    const counts = await Promise.all([discard(), discard(), discard()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(50);
    expect(await idsIn('cancelled')).toEqual(ids);
  });

  it('takes those of one reason, and none of other destinations', async () => {
    const others = await deadLetters(7);
    const ids = await deadLetters(7, 'timeout');
    expect(await discard('timeout')).toBe(7);
    expect([await idsIn('cancelled'), await idsIn('dead')]).toEqual([ids, others]);
    destinationId = uuidv7();
    expect(await discard()).toBe(0);
  });

  it('waits for no transaction that has a letter, such as a replay', async () => {
    const [replayed, ...others] = await deadLetters(9);
    await client.query('begin');
    try {
      await client.query('select from delivery where id = $1 for update', [replayed]);
      expect(await discard()).toBe(8);
    } finally {
      await client.query('rollback');
    }
    expect(await idsIn('cancelled')).toEqual(others);
  });
});
