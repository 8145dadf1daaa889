import { findForgottenRows, hasOldRowsSql } from '../../src/events/inbox/inbox-lag';
import type { EventProcessor } from '../../src/ingestion/event.processor';
import { InboxSweeper } from '../../src/ingestion/processing/inbox-sweeper';
import { type Awaited, Lookout, type Watch } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { JobCounts } from '../../src/platform/queues/job-offers';
import type { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { anyEvent } from '../support/any-event';
import { InboxToProfiles } from '../support/inbox-to-profiles';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the sweeper of the inbox', () => {
  let test: TestDatabase;
  let config: Config;
  let way: InboxToProfiles;

  beforeAll(async () => {
    test = await createTestDatabase();
    config = Config.from({ CDP_DATABASE_URL: test.url, CDP_ENCRYPTION_KEY: 'some-encryption-key' });
    way = new InboxToProfiles(config);
  });
  afterAll(async () => {
    await way.close();
    await test.drop();
  });

  it('goes back to its usual pace when it had to do without the queue and nothing is left to do', async () => {
    let sweepAll: Awaited<unknown>['act'] | undefined;
    class HeardLookout extends Lookout {
      override watch<Value>(awaited: Awaited<Value>): Watch {
        sweepAll = awaited.act as Awaited<unknown>['act'];
        return super.watch(awaited);
      }
    }
    const noQueue = { countWaiting: async () => 0, dispatch: async () => false };
    const processRows = (inboxIds: readonly string[]): Promise<unknown> => way.processTogether(inboxIds);
    const processor = { jobs: new JobCounts(), processRows };
    const sweeper = new InboxSweeper(
      way.database,
      noQueue as unknown as JobDispatcher,
      processor as unknown as EventProcessor,
      config,
      new HeardLookout(way.database),
    );
    await way.accept([anyEvent({ userId: 'waits' })]);
    await way.database.query(`update inbox set created_at = created_at - interval '10 seconds'`);
    // It ends only when it has found the usual pace again.
    await sweepAll!(true, performance.now());
    expect(await way.size()).toBe(0);
    await sweeper.onModuleDestroy();
  }, 30_000);

  it('finds rows from before the clock was put back, which are from later than now', async () => {
    await way.accept([anyEvent({ userId: 'later' })]);
    await way.database.query(`update inbox set created_at = created_at + interval '1 hour'`);
    await way.accept([anyEvent({ userId: 'now' })]);
    const [look] = await way.database.query<{ isAny: boolean }>(`select (${hasOldRowsSql(5)}) as "isAny"`);
    const asked = { olderThanSeconds: 5, ageUnitSeconds: 10, limit: 10 };
    expect([look?.isAny, await findForgottenRows(asked, way.database)]).toMatchObject([
      true,
      [{ events: 1 }],
    ]);
  });
});
