import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { DatabaseProbe } from '../../src/platform/health/database-probe';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the look whether PostgreSQL is there', () => {
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

  it('leaves no connection behind that is in another schema', async () => {
    const env = { CDP_DATABASE_URL: test.url, CDP_DATABASE_SCHEMA: 'not_there' };
    const probe = new DatabaseProbe(Config.from(env));
    for (let n = 0; n < 5; n += 1) expect(await probe.state()).toBe('down');
    await eventually(async () => {
      const rows = await database.query(
        `select from pg_stat_activity
         where application_name = 'cdp-service-health' and datname = current_database()`,
      );
      expect(rows).toEqual([]);
    });
    await probe.close();
  });
});
