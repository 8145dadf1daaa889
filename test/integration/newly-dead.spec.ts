import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { forgetNewlyDead, type NewlyDead, takeNewlyDead } from '../../src/delivery/dead-letters/newly-dead';
import { Database, type Tx } from '../../src/platform/database/database';
import { connectLedger, type LedgerDatabase } from '../support/ledger-database';

const HOUR_MS = 3600_000;
const NOBODY: ReadonlyMap<string, Date> = new Map();

describe('deliveries that were given up, counted', () => {
  let test: LedgerDatabase;
  let client: Client;
  let database: Database;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectLedger();
    ({ client, database } = test);
  });
  beforeEach(async () => {
    destinationId = uuidv7();
    await client.query('truncate delivery, newly_dead');
    await client.query('update delivery_upkeep set tallied = null, tallied_at = null');
  });
  afterAll(() => test.drop());

  async function pending(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
       select id, $1, 'u:1', now(), id, 'track', now() from unnest($2::uuid[]) as id`,
      [destinationId, ids],
    );
    return ids;
  }

  function giveUp(ids: readonly string[], ago = '0 s', on = client): Promise<unknown> {
    return on.query(
      `update delivery set state = 'dead', updated_at = now() - $2::interval where id = any($1::uuid[])`,
      [ids, ago],
    );
  }

  function take(toldAt = NOBODY): Promise<NewlyDead[]> {
    return database.transaction((tx) => takeNewlyDead(toldAt, HOUR_MS, tx));
  }

  it('count once each time that they are given up', async () => {
    const ids = await pending(3);
    await giveUp(ids.slice(0, 2));
    expect(await take()).toEqual([{ destinationId, count: 2, since: expect.any(Date), newestId: ids[1] }]);
    expect(await take()).toEqual([]);
    await giveUp(ids.slice(2));
    expect(await take()).toMatchObject([{ count: 1, newestId: ids[2] }]);
    await client.query(`update delivery set state = 'pending' where id = $1`, [ids[0]]);
    expect(await take()).toEqual([]);
    await giveUp([ids[0]!]);
    expect(await take()).toMatchObject([{ count: 1, newestId: ids[0] }]);
  });

  it('count when they are committed, however long before that their transaction began', async () => {
    const [early, late] = (await pending(2)) as [string, string];
    const slow = new Client({ connectionString: test.url });
    await slow.connect();
    await slow.query('begin');
    await giveUp([early], '0 s', slow);
    await giveUp([late]);
    expect(await take()).toMatchObject([{ count: 1, newestId: late }]);
    await slow.query('commit');
    await slow.end();
    expect(await take()).toMatchObject([{ count: 1, newestId: early }]);
    expect(await take()).toEqual([]);
  });

  it('are counted on while it is quiet, and kept by a transaction that fails', async () => {
    const ids = await pending(5);
    await giveUp(ids.slice(0, 2));
    const told = new Map([[destinationId, new Date(Date.now() - HOUR_MS / 2)]]);
    expect(await take(told)).toEqual([]);
    await giveUp(ids.slice(2, 4));
    expect(await take(told)).toEqual([]);
    const failing = database.transaction(async (tx) => {
      await takeNewlyDead(NOBODY, HOUR_MS, tx);
      throw new Error('not told');
    });
    await expect(failing).rejects.toThrow('not told');
    expect(await take()).toMatchObject([{ count: 4, newestId: ids[3] }]);
  });

  it('are those since somebody was told where nobody has counted yet, and of a day at most', async () => {
    const ids = await pending(4);
    await giveUp([ids[0]!], '25 h');
    await giveUp([ids[1]!], '3 h');
    await giveUp([ids[2]!], '1 h');
    expect(await take(new Map([[destinationId, new Date(Date.now() - 2 * HOUR_MS)]]))).toMatchObject([
      { count: 1, newestId: ids[2] },
    ]);
    await client.query('update delivery_upkeep set tallied = null, tallied_at = null');
    expect(await take()).toMatchObject([{ count: 2 }]);
  });

  it('are forgotten once nobody asks, but for those of the day before somebody asks again', async () => {
    const ids = await pending(3);
    await giveUp(ids);
    expect(await take(new Map([[destinationId, new Date()]]))).toEqual([]);
    await forgetNewlyDead(database);
    await giveUp(ids.slice(0, 2), '25 h');
    expect(await take()).toMatchObject([{ count: 1, newestId: ids[2] }]);
  });

  it('are found after a restore, when snapshots of the cluster before mean nothing', async () => {
    expect(await take()).toEqual([]);
    await client.query(`update delivery_upkeep set tallied = '900000000:900000000:'`);
    await giveUp(await pending(2));
    expect(await take()).toMatchObject([{ count: 2 }]);
    expect(await take()).toEqual([]);
  });

  it('are counted once when the tables have come to another server, which has written all of them itself', async () => {
    await giveUp(await pending(2), '1 h');
    expect(await take()).toMatchObject([{ count: 2 }]);
    await client.query(`update delivery_upkeep set tallied = '3:3:', tallied_on = tallied_on + 1`);
    await giveUp(await pending(1));
    expect(await take()).toMatchObject([{ count: 1 }]);
    expect(await take()).toEqual([]);
  });

  it('cost what is new, not what there is', async () => {
    await giveUp(await pending(5_000), '1 h');
    await client.query('vacuum analyze delivery');
    expect(await take()).toMatchObject([{ count: 5_000 }]);
    await giveUp(await pending(3));
    let rows = 0;
    const explaining: Tx = {
      query: async (statement, params) => {
        if (typeof statement === 'object' && statement.name === 'find_newly_dead') {
          const text = `explain (analyze, format json) ${statement.text}`;
          const [plan] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ text }, params);
          rows = rowsRead(plan!['QUERY PLAN'][0].Plan);
        }
        return database.query(statement, params);
      },
    };
    expect(await takeNewlyDead(NOBODY, HOUR_MS, explaining)).toMatchObject([{ count: 3 }]);
    expect(rows).toBe(3);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many deliveries were looked at. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);
  if (!node['Relation Name']?.startsWith('delivery_today')) return below;
  return below + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
}
