import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { isCancelled } from '../../src/platform/database/failure';
import { Deadline } from '../../src/segments/explaining/deadline';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the time that a preview has', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('is that of all its statements together', async () => {
    await database.query('select 1');
    const deadline = new Deadline(1_000);
    const runs = async (sql: string): Promise<unknown> =>
      database
        .transaction(async (tx) => {
          await deadline.bound(tx);
          await tx.query(sql);
          return 'done';
        })
        .catch((error: unknown) => isCancelled(error));
    expect(await runs('select 1')).toBe('done');
    expect(await runs('select pg_sleep(60)')).toBe(true);
    expect(await runs('select pg_sleep(1)')).toBe(true);
  });
});
