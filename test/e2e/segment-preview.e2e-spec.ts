import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { anApiClient, type ApiClient } from '../support/api-client';
import { startTestService, type TestService } from '../support/test-service';

/** Four in a block, so that there are more blocks than are counted while somebody waits. */
const PEOPLE = 12_000;

describe('the preview of a segment of many', () => {
  let service: TestService;
  let api: ApiClient;
  let database: Client;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query(
      `insert into profile (subject, traits, event_count)
       select case when n % 10 = 0 then 'a:' else 'u:' end || n,
         jsonb_build_object('plan', case when n % 3 = 0 then 'pro' else 'free' end, 'rare', n = 7, 'padding', repeat('x', 1800)), 1
       from generate_series(1, ${PEOPLE}) n`,
    );
  });
  afterAll(async () => {
    await database.end();
    await service.close();
  });

  const PRO = { field: 'traits.plan', operator: 'eq', value: 'pro' };
  const pros = PEOPLE / 3 - PEOPLE / 30;

  it('is an estimate that says how far it may be off, and exact when asked', async () => {
    const { body: estimate } = await api.post('/segments/preview', { rules: [PRO], sample: 5 });
    expect(estimate).toMatchObject({ estimated: true, warnings: [] });
    // All that can be said for sure of what chance has chosen: three times the error are hardly ever too little.
    const [below, above] = [estimate.count - estimate.low, estimate.high - estimate.count];
    expect(Math.abs(estimate.count - pros)).toBeLessThanOrEqual(3 * Math.max(below, above));
    expect(estimate.high).toBeGreaterThanOrEqual(estimate.low);
    expect(estimate.sample).toHaveLength(5);
    const { rows } = await database.query(
      `select from profile where subject = any($1) and traits ->> 'plan' = 'pro'`,
      [estimate.sample.map((userId: string) => `u:${userId}`)],
    );
    expect(rows).toHaveLength(5);

    const exact = await api.post('/segments/preview', { rules: [PRO], sample: 2, exact: true });
    expect(exact).toMatchObject({
      status: 200,
      body: { count: pros, estimated: false, low: pros, high: pros, sample: ['10002', '10005'] },
    });
  });

  it('does not say that nobody has what was not found', async () => {
    const rules = [{ field: 'traits.rare', operator: 'eq', value: true }];
    const { body } = await api.post('/segments/preview', { rules });
    expect(body.high).toBeGreaterThanOrEqual(1);
    expect(body.low).toBeLessThanOrEqual(1);
    expect((await api.post('/segments/preview', { rules, exact: true })).body).toMatchObject({
      count: 1,
      sample: ['7'],
    });
  });

  it('is an estimate of who has a computed trait, too, with their values', async () => {
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:' || n, now(), id::uuid, id::uuid, 'track', 'Seen', '{"type": "track", "event": "Seen", "properties": {"total": 7}}'
       from unnest($1::text[]) with ordinality as e(id, n)`,
      [Array.from({ length: PEOPLE }, () => uuidv7())],
    );
    const sum = { event: 'Seen', aggregate: 'sum', of: 'properties.total', within: '7d', sample: 3 };
    const users = PEOPLE - PEOPLE / 10;
    const { body } = await api.post('/computed-traits/preview', sum);
    expect(body).toMatchObject({ estimated: true });
    expect(Math.abs(body.count - users)).toBeLessThanOrEqual(3 * Math.max(1, body.high - body.count));
    expect(body.sample.map(({ value }: { value: number }) => value)).toEqual([7, 7, 7]);
    const exact = await api.post('/computed-traits/preview', { ...sum, exact: true });
    expect(exact.body).toMatchObject({ estimated: false, count: users, low: users, high: users });
  });

  it('is refused with what is not a boolean', async () => {
    expect(await api.post('/segments/preview', { rules: [PRO], exact: 'yes' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'exact' }] },
    });
  });
});
