import { type ApiClient, anApiClient } from '../support/api-client';
import { startTestService, type TestService } from '../support/test-service';

const SCHEMA = {
  properties: {
    properties: { required: ['total'], properties: { total: { type: 'number' } } },
  },
};
const RULE = { type: 'track', event: 'Order Completed', schema: SCHEMA };

describe('tracking plans', () => {
  let service: TestService;
  let api: ApiClient;
  let names = 0;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
  const aPlan = async (members: object = {}): Promise<any> => {
    const answer = await api.post('/tracking-plans', { name: `Plan ${++names}`, rules: [RULE], ...members });
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('are created with all that they leave out, shown, and listed without their rules', async () => {
    const plan = await aPlan({ name: 'Shop' });
    expect(plan).toMatchObject({
      name: 'Shop',
      description: '',
      rules: [{ ...RULE, onViolation: 'observe' }],
      unplannedEvents: 'allow',
      unplannedProperties: 'allow',
      version: 1,
    });
    expect((await api.get(`/tracking-plans/${plan.id}`)).body).toEqual(plan);
    const { rules: _, ...summary } = plan;
    expect((await api.get('/tracking-plans')).body).toContainEqual({ ...summary, ruleCount: 1 });
  });

  it('keep the members of a schema in the order in which they were written', async () => {
    const schema = { title: 'a', properties: { zebra: {}, ape: {} }, additionalProperties: true };
    const { id } = await aPlan({ rules: [{ type: 'page', schema }] });
    const { body } = await api.get(`/tracking-plans/${id}`);
    expect(JSON.stringify(body.rules[0].schema)).toBe(JSON.stringify(schema));
  });

  it('that are not valid are refused, each fault with its path', async () => {
    const rules = [RULE, { type: 'track', event: 'X', schema: { properties: { a: { tpye: 'string' } } } }];
    const given = { name: 'Bad', rules, unplannedEvents: 'allow' };
    expect(await api.post('/tracking-plans', given)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'rules[1].schema.properties.a.tpye', code: 'unknown_keyword' }] },
    });
    const unstorable = { name: 'Bad', rules: [{ type: 'track', event: 'Pa\0id' }] };
    expect(await api.post('/tracking-plans', unstorable)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'rules[0].event', code: 'invalid_rule' }] },
    });
    expect((await api.post('/tracking-plans', { rules: [RULE] })).body.errors).toEqual([
      { path: 'name', code: 'is_string', message: 'name is missing: name must be a string' },
    ]);
    const { id } = await aPlan();
    expect(await api.put(`/tracking-plans/${id}`, { rules })).toMatchObject({ status: 400 });
  });

  it('keep every version as it was', async () => {
    const { id, name } = await aPlan({ unplannedEvents: 'observe' });
    const changed = await api.put(`/tracking-plans/${id}`, { rules: [], unplannedProperties: 'omit' });
    expect(changed).toMatchObject({
      status: 200,
      body: { version: 2, rules: [], unplannedEvents: 'observe', unplannedProperties: 'omit' },
    });
    expect((await api.get(`/tracking-plans/${id}/versions`)).body).toMatchObject([
      { version: 2 },
      { version: 1 },
    ]);
    expect((await api.get(`/tracking-plans/${id}/versions/1`)).body).toMatchObject({
      name,
      version: 1,
      rules: [RULE],
      unplannedProperties: 'allow',
    });
    for (const version of ['3', 'x', '-1']) {
      expect(await api.get(`/tracking-plans/${id}/versions/${version}`)).toMatchObject({
        status: 404,
        body: { code: 'tracking_plan_version_not_found' },
      });
    }
  });

  it('are changed only as the version that the change was meant for', async () => {
    const { id } = await aPlan();
    const path = `/tracking-plans/${id}`;
    const ifMatch = api.with({ 'if-match': '"1"' });
    expect((await ifMatch.put(path, { description: 'x' })).headers.get('etag')).toBe('"2"');
    expect(await ifMatch.put(path, { description: 'y' })).toMatchObject({ status: 412 });
    expect(await ifMatch.delete(path)).toMatchObject({ status: 412 });
    expect(await api.post('/tracking-plans', { name: 'Shop', rules: [] })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    });
  });

  it('are made once by a creation that is sent twice', async () => {
    const twice = api.with({ 'idempotency-key': 'once' });
    const given = { name: 'Once', rules: [] };
    const [first, second] = [
      await twice.post('/tracking-plans', given),
      await twice.post('/tracking-plans', given),
    ];
    expect(second.body).toEqual(first.body);
  });

  it('stand in the audit with what was changed', async () => {
    const { id } = await aPlan();
    await api.put(`/tracking-plans/${id}`, { unplannedEvents: 'block' });
    await api.delete(`/tracking-plans/${id}`);
    const { body } = await api.get(`/audit?resourceId=${id}`);
    expect(body.map(({ action }: { action: string }) => action)).toEqual(['delete', 'update', 'create']);
    expect(body[1]).toMatchObject({
      resource: 'tracking_plan',
      before: { unplannedEvents: 'allow' },
      after: { unplannedEvents: 'block' },
    });
  });

  describe('of sources', () => {
    it('are named by their id, and no other id is taken', async () => {
      const { id: trackingPlanId } = await aPlan();
      const source = (await api.post('/sources', { name: `Source ${++names}`, trackingPlanId })).body;
      expect(source).toMatchObject({ trackingPlanId });
      const path = `/sources/${source.id}`;
      expect((await api.put(path, { description: 'x' })).body).toMatchObject({ trackingPlanId });
      expect((await api.put(path, { trackingPlanId: null })).body).toMatchObject({ trackingPlanId: null });
      const unknown = { trackingPlanId: '01930000-0000-7000-8000-000000000000' };
      for (const answer of [
        await api.put(path, unknown),
        await api.post('/sources', { name: `Source ${++names}`, ...unknown }),
      ]) {
        expect(answer).toMatchObject({
          status: 400,
          body: { errors: [{ path: 'trackingPlanId', code: 'unknown_tracking_plan' }] },
        });
      }
    });

    it('cannot be deleted as long as a source has them', async () => {
      const { id: trackingPlanId } = await aPlan();
      const name = `Source ${++names}`;
      const source = (await api.post('/sources', { name, trackingPlanId })).body;
      expect(await api.delete(`/tracking-plans/${trackingPlanId}`)).toMatchObject({
        status: 409,
        body: { code: 'tracking_plan_in_use', sources: [{ id: source.id, name }] },
      });
      await api.put(`/sources/${source.id}`, { trackingPlanId: null });
      expect((await api.delete(`/tracking-plans/${trackingPlanId}`)).status).toBe(204);
      expect(await api.get(`/tracking-plans/${trackingPlanId}`)).toMatchObject({ status: 404 });
    });
  });

  describe('in a document', () => {
    const plan = { name: 'Written plan', rules: [RULE], unplannedProperties: 'omit' };
    const document = {
      version: 1,
      trackingPlans: [plan],
      sources: [{ name: 'Written source', trackingPlan: plan.name }],
    };
    const summary = (body: { changes: { action: string; kind: string; name: string }[] }): string[] =>
      body.changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

    it('are made before the sources that name them, and nothing changes when it is applied again', async () => {
      const applied = await api.put('/config', document);
      expect(summary(applied.body)).toEqual([
        'create trackingPlan Written plan',
        'create source Written source',
      ]);
      expect(summary((await api.put('/config', document)).body)).toEqual([]);
      const { body: exported } = await api.get('/config/export');
      expect(exported.trackingPlans).toContainEqual({
        ...plan,
        rules: [{ ...RULE, onViolation: 'observe' }],
      });
      expect(exported.sources).toContainEqual({
        name: 'Written source',
        enabled: true,
        trackingPlan: plan.name,
      });
      expect(summary((await api.put('/config', exported)).body)).toEqual([]);
    });

    it('are detached from sources and changed, each with what differs', async () => {
      await api.put('/config', document);
      const { body } = await api.put('/config?dryRun=true', {
        ...document,
        trackingPlans: [{ ...plan, unplannedProperties: 'block' }],
        sources: [{ name: 'Written source' }],
      });
      expect(body.changes).toMatchObject([
        { kind: 'trackingPlan', fields: [{ path: 'unplannedProperties', before: 'omit', after: 'block' }] },
        { kind: 'source', fields: [{ path: 'trackingPlan', before: plan.name, after: null }] },
      ]);
    });

    it('are pruned after the sources that had them', async () => {
      await api.put('/config', document);
      const others = await api.get('/sources');
      const sources = others.body.filter(({ name }: { name: string }) => name !== 'Written source');
      for (const { id } of sources) await api.delete(`/sources/${id}`);
      const pruned = await api.put('/config?prune=true', { version: 1, trackingPlans: [], sources: [] });
      expect(summary(pruned.body)[0]).toBe('delete source Written source');
      expect((await api.get('/tracking-plans')).body).toEqual([]);
    });

    it('are checked before anything is applied', async () => {
      const wrong = { ...plan, rules: [{ type: 'track' }] };
      const bad = { ...document, trackingPlans: [wrong], sources: [{ name: 'S', trackingPlan: 'Nothing' }] };
      expect((await api.put('/config', bad)).body.errors).toMatchObject([
        { path: 'trackingPlans[0].rules[0].event', code: 'invalid_rule' },
        { path: 'sources[0].trackingPlan', code: 'unknown_tracking_plan' },
      ]);
    });

    it.each([
      [{ event: 'Pa\0id' }, 'event', 'invalid_rule'],
      [{ event: 'Paid', schema: { enum: ['\ud800'] } }, 'schema.enum[0]', 'invalid_schema'],
    ])(
      'are refused before anything is applied with texts that cannot be stored: %j',
      async (rule, path, code) => {
        const bad = { ...plan, name: 'Bad', rules: [{ type: 'track', ...rule }] };
        const before = (await api.get('/tracking-plans')).body;
        for (const query of ['?dryRun=true', '']) {
          expect(
            await api.put(`/config${query}`, { version: 1, trackingPlans: [{ ...plan, name: 'Good' }, bad] }),
          ).toMatchObject({
            status: 400,
            body: { errors: [{ path: `trackingPlans[1].rules[0].${path}`, code }] },
          });
        }
        expect((await api.get('/tracking-plans')).body).toEqual(before);
      },
    );
  });
});
