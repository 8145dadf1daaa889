import { randomUUID } from 'node:crypto';
import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { mayPass } from '../../src/platform/database/failure';
import { PlansInForce } from '../../src/tracking-plans/judging/plans-in-force';
import type { PlanRule } from '../../src/tracking-plans/language/plan';
import { planVersions } from '../../src/tracking-plans/plan-versions';
import { eventually } from '../support/eventually';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const page: PlanRule = { type: 'page', schema: { required: ['name'] }, onViolation: 'observe' };
const screen: PlanRule = { type: 'screen', schema: { required: ['context'] }, onViolation: 'observe' };

describe('tracking plans that other processes change', () => {
  let test: TestDatabase;
  let others: Database;
  let proxy: TcpProxy;
  let database: Database;
  let lookout: Lookout;
  let plans: PlansInForce;

  beforeAll(async () => {
    test = await createTestDatabase();
    others = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    const url = new URL(test.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    database = new Database(Config.from({ CDP_DATABASE_URL: url.href }));
    lookout = new Lookout(database);
    plans = new PlansInForce(database, lookout);
    lookout.onApplicationBootstrap();
  });
  afterAll(async () => {
    lookout.onModuleDestroy();
    await Promise.all([database.close(), others.close()]);
    await proxy.close();
    await test.drop();
  });

  const write = async (id: string, version: number, rules: readonly PlanRule[]): Promise<void> => {
    const content = { rules, unplannedEvents: 'allow', unplannedProperties: 'allow' } as const;
    await others.query(
      `insert into tracking_plan (id, name, description, rules, unplanned_events, unplanned_properties, version)
       values ($1, '', '', $2, 'allow', 'allow', $3)
       on conflict (id) do update set rules = excluded.rules, version = excluded.version`,
      [id, JSON.stringify(rules), version],
    );
    await planVersions.write(id, version, { content: { name: '', description: '', ...content } }, others);
    await others.query('update tracking_plan_change set version = version + 1');
  };

  it('are found as soon as they are made, and as changed within about a second', async () => {
    const id = randomUUID();
    await write(id, 1, [page]);
    expect((await plans.find(id))?.version).toBe(1);
    await write(id, 2, [page, screen]);
    await eventually(async () => expect((await plans.find(id))?.version).toBe(2));
  });

  it('keep the rules compiled that did not change', async () => {
    const id = randomUUID();
    await write(id, 1, [page]);
    const before = (await plans.find(id))?.plan.ruleFor('page', undefined)?.compiled;
    await write(id, 2, [screen, page]);
    await plans.refresh();
    expect((await plans.find(id))?.plan.ruleFor('page', undefined)?.compiled).toBe(before);
  });

  it('go back with PostgreSQL to before a change, as after a failover that loses it', async () => {
    const id = randomUUID();
    await write(id, 1, [page]);
    expect((await plans.find(id))?.version).toBe(1);
    await write(id, 2, [screen]);
    await plans.refresh();
    expect((await plans.find(id))?.version).toBe(2);
    await others.query('delete from tracking_plan_version where plan_id = $1 and version = 2', [id]);
    await others.query('update tracking_plan set version = 1 where id = $1', [id]);
    await others.query('update tracking_plan_change set version = version - 1');
    await plans.refresh();
    // Before it is asked for, there is another second version.
    await write(id, 2, [page, screen]);
    await plans.refresh();
    const found = await plans.find(id);
    expect(found?.version).toBe(2);
    expect(found?.plan.ruleFor('page', undefined)).toBeDefined();
  });

  it('are none once they are deleted', async () => {
    const id = randomUUID();
    await write(id, 1, [page]);
    expect(await plans.find(id)).toBeDefined();
    await others.query('delete from tracking_plan where id = $1', [id]);
    await others.query('update tracking_plan_change set version = version + 1');
    await eventually(async () => expect(await plans.find(id)).toBeUndefined());
    expect(await plans.find(randomUUID())).toBeUndefined();
  });

  it('are never taken for none while PostgreSQL is away', async () => {
    const [known, unknown] = [randomUUID(), randomUUID()];
    await write(known, 1, [page]);
    expect((await plans.find(known))?.version).toBe(1);
    await write(unknown, 1, [page]);
    await proxy.cut();
    const failure = await plans.find(unknown).catch((error: unknown) => error);
    expect(mayPass(failure)).toBe(true);
    expect((await plans.find(known))?.version).toBe(1);
    await proxy.restore();
    await eventually(async () => expect((await plans.find(unknown))?.version).toBe(1));
  });
});
