import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { HeardSources } from '../../src/sources/heard-sources';
import { readLastEvents } from '../../src/sources/last-events';
import { aSource } from '../support/a-source';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('when sources sent something last', () => {
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

  it('is known of the last event, too, not only of the first that was written', async () => {
    const { id } = await aSource(test.url);
    const heard = new HeardSources(database);
    const lastMs = async (): Promise<number> => {
      const at = (await readLastEvents([id], database)).get(id);
      expect(at).toBeDefined();
      return at!.getTime();
    };
    heard.hear(id);
    const firstMs = await eventually(lastMs);
    const [{ nowMs }] = (await database.query(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"',
    )) as [{ nowMs: number }];
    heard.hear(id);
    await heard.onModuleDestroy();
    expect(nowMs).toBeGreaterThan(firstMs);
    expect(await lastMs()).toBeGreaterThanOrEqual(Math.floor(nowMs) - 1);
  });
});
