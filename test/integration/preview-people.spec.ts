import { Config } from '../../src/platform/config/config';
import { Database, type OpenTransaction } from '../../src/platform/database/database';
import { previewPeople } from '../../src/segments/explaining/preview-people';
import { connectTestDatabase, type ConnectedDatabase } from '../support/test-database';

/** More than are counted, each in a block of its own. */
const BLOCKS = 2_100;
const PEOPLE = BLOCKS / 20;

describe('a preview of people', () => {
  let test: ConnectedDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await connectTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    const { client } = test;
    await client.query('alter table profile alter column traits set storage plain');
    await client.query(
      `insert into profile (subject, traits)
       select 'u:' || n, jsonb_build_object('text', repeat('x', 5000)) from generate_series(1, $1::integer) as n`,
      [BLOCKS],
    );
    await client.query('delete from profile where substr(subject, 3)::integer % 20 <> 0');
    await client.query('vacuum (truncate off) profile');
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('finds nobody twice who changes meanwhile', async () => {
    const moving = {
      transaction: (work: (tx: OpenTransaction) => Promise<unknown>) =>
        database.transaction((tx) => work(Object.assign(Object.create(tx), { query: movedAfter(tx) }))),
    } as unknown as Database;
    const { estimated, sample, low } = await previewPeople(
      { test: 'true', values: { params: [] } as never },
      { sample: PEOPLE, exact: false },
      moving,
    );
    const named = sample.map(({ userId }) => userId);
    expect(estimated).toBe(true);
    expect(new Set(named).size).toBe(named.length);
    expect(low).toBeLessThanOrEqual(PEOPLE);
  });

  /** Everybody is written anew, to a block that is free, after each statement. */
  function movedAfter(tx: OpenTransaction): OpenTransaction['query'] {
    return async (...asked) => {
      const rows = await tx.query(...asked);
      await test.client.query('update profile set event_count = event_count + 1');
      return rows as never;
    };
  }
});
