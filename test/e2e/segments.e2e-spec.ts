import { Client } from 'pg';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

const UNKNOWN_ID = '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b';
const PRO = { field: 'plan', operator: 'eq', value: 'pro' };

describe('segments over HTTP', () => {
  let service: TestService;
  let api: ApiClient;
  let database: Client;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query(
      `insert into profile (subject, traits, event_count) values
         ('u:ann', '{"plan": "pro"}', 12), ('u:bob', '{"plan": "free"}', 3), ('u:été', '{"plan": "pro"}', 1),
         ('u:"quoted"\\', '{"plan": "pro"}', 1), ('a:visitor', '{"plan": "pro"}', 1)`,
    );
  });
  afterAll(async () => {
    await database.end();
    await service.close();
  });

  it('warns of traits that no profile has, and of nothing else', async () => {
    const rules = [
      { field: 'trait.plan', operator: 'eq', value: 'pro' },
      { field: 'traits.plan', operator: 'eq', value: 'pro' },
      { not: true, rules: [{ field: 'Plam', operator: 'exists' }] },
      { field: 'properties.total', operator: 'gt', value: 5 },
      { field: 'address.city', operator: 'exists' },
      { field: 'event_count', event: 'page', operator: 'eq', value: 0 },
    ];
    const warnings = [
      {
        path: 'rules[0].field',
        code: 'unknown_field',
        message: 'No profile has `trait.plan`; did you mean `traits.plan`?',
      },
      {
        path: 'rules[2].rules[0].field',
        code: 'unknown_field',
        message: 'No profile has `Plam`; did you mean `traits.plan`?',
      },
      {
        path: 'rules[3].field',
        code: 'unknown_field',
        message:
          'No profile has `properties.total`: rules look at profiles; properties of events go into `where`.',
      },
      { path: 'rules[4].field', code: 'unknown_field', message: 'No profile has `address.city`.' },
    ];
    expect((await api.post('/segments/preview', { rules })).body.warnings).toEqual(warnings);
    const created = await api.post('/segments', { name: 'Misspelt', rules });
    expect(created.body).toMatchObject({ rules, warnings });
    const path = `/segments/${created.body.id}`;
    expect((await api.put(path, { name: 'Still misspelt' })).body).toMatchObject({ warnings });
    expect(await api.get(`${path}/warnings`)).toMatchObject({ status: 200, body: warnings });
    expect((await api.put(path, { rules: [PRO] })).body).toMatchObject({ warnings: [] });
    expect((await api.get(path)).body).not.toHaveProperty('warnings');
    expect((await api.delete(path)).status).toBe(204);
  });

  it('warns of events that no profile has, and of traits that are computed ones', async () => {
    await database.query(
      `update profile set event_totals = '{"Order Completed": {"count": 12}}' where subject = 'u:ann'`,
    );
    const trait = { name: 'spent', event: 'Order Complete', aggregate: 'count', within: '30d' };
    expect((await api.post('/computed-traits', trait)).status).toBe(201);
    const rules = [
      { event: 'Order completed', operator: 'gte', value: 1 },
      { event: 'Order Completed', operator: 'gte', value: 1 },
      { sequence: [{ event: 'Ordr Completed' }, { event: 'Refund' }], within: '30d' },
      {
        event: 'Order complete',
        aggregate: 'sum',
        of: 'properties.total',
        within: '5d',
        operator: 'gte',
        value: 1,
      },
      { field: 'traits.spent', operator: 'gte', value: 1 },
      { field: 'computed.spent', operator: 'gte', value: 1 },
    ];
    const { body } = await api.post('/segments/preview', { rules });
    expect(body.warnings).toEqual([
      {
        path: 'rules[4].field',
        code: 'unknown_field',
        message: 'No profile has `spent`; did you mean `computed.spent`?',
      },
      ...[
        ['rules[0].event', 'Order completed', '; did you mean `Order Completed`?'],
        ['rules[2].sequence[0].event', 'Ordr Completed', '; did you mean `Order Completed`?'],
        ['rules[2].sequence[1].event', 'Refund', '.'],
        ['rules[3].event', 'Order complete', '; did you mean `Order Completed`?'],
      ].map(([path, name, hint]) => ({
        path,
        code: 'unknown_event',
        message: `No profile has an event called \`${name}\`${hint}`,
      })),
    ]);
  });

  it('creates a segment, computes it, lists, shows, changes and deletes it', async () => {
    const created = await api.post('/segments', { name: 'Pro', description: 'pays', rules: [PRO] });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: 'Pro', description: 'pays', match: 'all', rules: [PRO] });
    const { id } = created.body;
    const path = `/segments/${id}`;
    const live = await eventually(async () => {
      const { body } = await api.get(path);
      expect(body).toMatchObject({ state: 'live', progress: 1, failure: null, memberCount: 3 });
      return body;
    });
    expect((await api.get('/segments')).body).toContainEqual(live);
    expect((await api.get(`${path}/members`)).body).toEqual(['"quoted"\\', 'ann', 'été']);

    const renamed = await api.put(path, { name: 'Paying' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({
      name: 'Paying',
      description: 'pays',
      state: 'live',
      memberCount: 3,
    });

    const rules = [{ field: 'event_count', operator: 'gt', value: 2 }];
    expect((await api.put(path, { rules })).body).toMatchObject({ name: 'Paying', rules });
    await eventually(async () => expect((await api.get(`${path}/members`)).body).toEqual(['ann', 'bob']));

    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`${path}/members`)).status).toBe(404);
  });

  it('creates once with an Idempotency-Key, and allows a name twice to who insists', async () => {
    const keyed = api.with({ 'idempotency-key': 'once' });
    const first = await keyed.post('/segments', { name: 'Once', rules: [PRO] });
    expect((await keyed.post('/segments', { name: 'Once', rules: [PRO] })).body).toEqual(first.body);
    const another = await api.post('/segments?allowDuplicate=true', { name: 'Once', rules: [PRO] });
    expect(another.status).toBe(201);
    expect(another.body.id).not.toBe(first.body.id);
  });

  it('does not compute anew when the same rules are sent again', async () => {
    const { body } = await api.post('/segments', { name: 'Same', rules: [PRO] });
    const generation = 'select generation from segment where id = $1';
    const before = await database.query(generation, [body.id]);
    const { value, operator, field } = PRO;
    expect((await api.put(`/segments/${body.id}`, { rules: [{ value, operator, field }] })).status).toBe(200);
    expect((await database.query(generation, [body.id])).rows).toEqual(before.rows);
  });

  it('answers members in pages and as lines with the time of entry', async () => {
    const { body } = await api.post('/segments', { name: 'Pages', rules: [PRO] });
    const path = `/segments/${body.id}/members`;
    await eventually(async () => expect((await api.get(path)).body).toHaveLength(3));

    const first = await api.get(`${path}?limit=2`);
    expect(first.body).toEqual(['"quoted"\\', 'ann']);
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await api.get(String(next));
    expect(second.body).toEqual(['été']);
    expect(second.headers.get('link')).toBeNull();

    const lines = await api.with({ accept: 'application/x-ndjson' }).get(`${path}?limit=2`);
    expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
    const parsed = String(lines.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(parsed).toEqual([
      { userId: '"quoted"\\', enteredAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { userId: 'ann', enteredAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await api.get(`${path}?limit=0`)).status).toBe(400);
    expect((await api.get(`${path}?cursor=%25`)).body).toMatchObject({ errors: [{ path: 'cursor' }] });
  });

  it('answers [] for a segment with nobody', async () => {
    const { body } = await api.post('/segments', {
      name: 'Nobody',
      rules: [{ field: 'plan', operator: 'eq', value: 'none' }],
    });
    expect((await api.get(`/segments/${body.id}/members`)).body).toEqual([]);
  });

  it('counts who would be in a segment without saving it', async () => {
    const preview = await api.post('/segments/preview', { rules: [PRO], sample: 2 });
    expect(preview).toMatchObject({ status: 200, body: { count: 3, sample: ['"quoted"\\', 'ann'] } });
    const refused = await api.post('/segments/preview', { rules: [{ ...PRO, operator: 'like' }] });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'rules[0].operator' }] } });
  });

  it('says per rule why somebody is in a segment or not', async () => {
    const rules = [
      PRO,
      { not: true, match: 'any', rules: [{ field: 'event_count', operator: 'lt', value: 5 }] },
      { field: 'address.city', operator: 'not_exists' },
    ];
    const { body } = await api.post('/segments', { name: 'Explained', rules });
    await eventually(async () =>
      expect((await api.get(`/segments/${body.id}/members`)).body).toEqual(['ann']),
    );
    expect((await api.get(`/segments/${body.id}/explain/ann`)).body).toEqual({
      userId: 'ann',
      member: true,
      enteredAt: expect.any(String),
      verdict: true,
      rules: [
        { path: 'rules[0]', rule: PRO, seen: 'pro', verdict: true },
        {
          path: 'rules[1]',
          rule: { match: 'any', not: true },
          verdict: true,
          rules: [
            {
              path: 'rules[1].rules[0]',
              rule: { field: 'event_count', operator: 'lt', value: 5 },
              seen: 12,
              verdict: false,
            },
          ],
        },
        { path: 'rules[2]', rule: rules[2], verdict: true },
      ],
    });
    expect((await api.get(`/segments/${body.id}/explain/bob`)).body).toMatchObject({
      member: false,
      enteredAt: null,
      verdict: false,
      rules: [{ seen: 'free', verdict: false }, { verdict: false }, { verdict: true }],
    });
    for (const nobody of ['nobody', 'a%00b']) {
      expect((await api.get(`/segments/${body.id}/explain/${nobody}`)).body).toMatchObject({
        code: 'profile_not_found',
      });
    }
    expect((await api.get(`/segments/${UNKNOWN_ID}/explain/ann`)).body).toMatchObject({
      code: 'segment_not_found',
    });
  });

  describe('that filters of destinations name', () => {
    const aSegment = async (name: string, rules: object[] = []): Promise<string> => {
      const { status, body } = await api.post('/segments', { name, rules });
      expect(status).toBe(201);
      return body.id;
    };
    const filtered = (name: string, segmentId: string): object => ({
      name,
      type: 'webhook',
      config: { url: 'https://example.com' },
      filter: { segments: [segmentId] },
    });

    it('are kept for them, and for segments, which are named', async () => {
      const id = await aSegment('Named');
      const asking = await aSegment('Asking', [{ field: 'segments', operator: 'contains', value: id }]);
      const made = [];
      for (const [name, written] of [
        ['To the shop', id],
        ['In capitals', id.toUpperCase()],
      ] as const) {
        made.push((await api.post('/destinations', filtered(name, written))).body.id);
      }
      expect(await api.delete(`/segments/${id}`)).toMatchObject({
        status: 409,
        body: {
          code: 'segment_in_use',
          message:
            'The segment "Named" is asked about by rules of segments (Asking) and filters of destinations (In capitals, To the shop). Change them to ask about something else first.',
        },
      });
      expect(await api.delete(`/segments/${asking}`)).toMatchObject({ status: 204 });
      expect(await api.put(`/destinations/${made[0]}`, { filter: null })).toMatchObject({ status: 200 });
      expect(await api.delete(`/segments/${id}`)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('filters of destinations (In capitals).') },
      });
      expect(await api.delete(`/destinations/${made[1]}`)).toMatchObject({ status: 204 });
      expect(await api.delete(`/segments/${id}`)).toMatchObject({ status: 204 });
      expect(await api.delete(`/destinations/${made[0]}`)).toMatchObject({ status: 204 });
    });

    it.each(['create', 'update'])('wait with their deletion for a %s that names them', async (action) => {
      const id = await aSegment(`Raced by ${action}`);
      const { body: destination } = await api.post('/destinations', {
        ...filtered(`Raced by ${action}`, id),
        filter: null,
      });
      // The last thing that a change of destinations does waits for this.
      await database.query('begin');
      await database.query('update destination_change set version = version');
      const named =
        action === 'create'
          ? api.post('/destinations', filtered('Named at the last moment', id))
          : api.put(`/destinations/${destination.id}`, { filter: { segments: [id] } });
      await eventually(async () => expect(await waitingFor('transactionid')).toBeGreaterThan(0));
      const deleted = api.delete(`/segments/${id}`);
      // Upkeep may wait there, too.
      await eventually(async () => expect(await waitingFor('advisory')).toBeGreaterThan(0));
      await database.query('commit');
      expect((await named).status).toBe(action === 'create' ? 201 : 200);
      expect(await deleted).toMatchObject({ status: 409, body: { code: 'segment_in_use' } });
      for (const { id: made } of (await api.get('/destinations')).body)
        await api.delete(`/destinations/${made}`);
    });

    const waitingFor = async (kind: string): Promise<number> => {
      const { rows } = await database.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and locktype = $1 and datname = current_database()`,
        [kind],
      );
      return rows.length;
    };

    it('are there or not, whoever was first', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await aSegment(`Race ${round}`);
        const [made, deleted] = await Promise.all([
          api.post('/destinations', filtered(`Race ${round}`, id)),
          api.delete(`/segments/${id}`),
        ]);
        expect([
          [201, 409],
          [400, 204],
        ]).toContainEqual([made.status, deleted.status]);
      }
      for (const { id } of (await api.get('/destinations')).body) await api.delete(`/destinations/${id}`);
      for (const { id } of (await api.get('/segments')).body) await api.delete(`/segments/${id}`);
    });
  });

  it.each([
    ['an unknown operator', { ...PRO, operator: 'like' }, 'rules[1].operator', 'unknown_operator'],
    [
      'an impossible value',
      { field: 'event_count', operator: 'gt', value: 'many' },
      'rules[1].value',
      'invalid_value',
    ],
    ['a bad path', { ...PRO, field: 'address..city' }, 'rules[1].field', 'invalid_field'],
    ['no field', { operator: 'eq', value: 1 }, 'rules[1].field', 'invalid_field'],
    ['a misspelt member', { ...PRO, vlaue: 1 }, 'rules[1].vlaue', 'unknown_member'],
    ['no rule', 'plan = pro', 'rules[1]', 'invalid_rule'],
    [
      'a bad rule in a group',
      { rules: [PRO, { ...PRO, value: undefined }] },
      'rules[1].rules[1].value',
      'invalid_value',
    ],
  ])('refuses %s with its place', async (_, rule, path, code) => {
    const answer = await api.post('/segments', { name: 'Bad', rules: [PRO, rule] });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it.each([
    [{}],
    [{ name: 'No rules' }],
    [{ name: ' ', rules: [] }],
    [{ name: 'x', rules: [], match: 'most' }],
  ])('refuses %j', async (body) => {
    expect((await api.post('/segments', body)).status).toBe(400);
  });

  it.each([UNKNOWN_ID, 'no-uuid', '%00'])('answers 404 for the id %s', async (id) => {
    expect((await api.get(`/segments/${id}`)).status).toBe(404);
    expect((await api.put(`/segments/${id}`, { name: 'x' })).status).toBe(404);
    expect((await api.delete(`/segments/${id}`)).status).toBe(404);
    expect((await api.get(`/segments/${id}/members`)).status).toBe(404);
    expect((await api.get(`/segments/${id}/warnings`)).status).toBe(404);
  });
});
