import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the look at what there is to do', () => {
  let test: TestDatabase;
  let database: Database;
  let lookout: Lookout;

  beforeEach(async () => {
    test = await createTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    await database.query('create table task (n int)');
    lookout = new Lookout(database);
  });
  afterEach(async () => {
    lookout.onModuleDestroy();
    await database.close();
    await test.drop();
  });

  it('tells everybody what they asked for, again and again, also after a failure', async () => {
    const told: unknown[] = [];
    const reported: unknown[] = [];
    lookout.watch<boolean>({
      sql: 'select exists (select from task)',
      act: async (isAny) => told.push(isAny),
      report: (error) => reported.push(error),
    });
    lookout.watch<number[]>({
      sql: `select coalesce(json_agg(n), '[]') from task`,
      act: async (numbers) => {
        throw new Error(`failed at ${numbers.join()}`);
      },
      report: (error) => reported.push(error),
    });
    lookout.onApplicationBootstrap();
    await eventually(() => expect(told).toContain(false));
    await database.query('insert into task values (7)');
    await eventually(() => expect(told).toContain(true));
    await eventually(() => expect(reported).toContainEqual(new Error('failed at 7')));
  });

  it('tells nobody anything who is still at work, and whoever stops waits for the work', async () => {
    const endings: (() => void)[] = [];
    let looks = 0;
    const watch = lookout.watch<number>({
      sql: 'select 1',
      act: () => new Promise<void>((resolve) => endings.push(resolve)),
      report: () => undefined,
    });
    lookout.watch<number>({ sql: 'select 2', act: async () => (looks += 1), report: () => undefined });
    lookout.onApplicationBootstrap();
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(3));
    expect(endings).toHaveLength(1);
    let stopped = false;
    const stop = watch.stop().then(() => (stopped = true));
    expect([watch.stopping, stopped]).toEqual([true, false]);
    endings[0]?.();
    await stop;
    const before = looks;
    await eventually(() => expect(looks).toBeGreaterThan(before));
    expect(endings).toHaveLength(1);
  });
});
