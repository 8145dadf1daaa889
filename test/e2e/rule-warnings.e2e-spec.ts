import { Client } from 'pg';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const TOTAL = {
  event: 'Order Completed',
  aggregate: 'sum',
  of: 'properties.totl',
  within: '30d',
} as const;
const UNKNOWN_TOTAL = {
  code: 'unknown_path',
  message:
    'None of the newest 2 stored events called `Order Completed` has `properties.totl`; did you mean `properties.total`?',
};

describe('warnings about paths in events', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
    const order = { userId: 'buyer', event: 'Order Completed' };
    await segments.send([
      { ...order, properties: { total: 5, price: '5.00', category: 'shoes', cart: { coupon: 'x' } } },
      { ...order, properties: { total: 7, price: '7.00', items: ['a', 'b'] } },
      { userId: 'buyer', event: 'Refund', properties: { 'net.total': 1 } },
      { userId: 'buyer', type: 'page', name: 'Refund', properties: { reason: 'size' } },
      { userId: 'buyer', type: 'page', properties: { path: '/' } },
      { userId: 'buyer', type: 'identify', traits: { plan: 'pro' } },
    ]);
  });
  afterAll(() => service.close());

  const ofRules = async (...rules: readonly object[]): Promise<unknown> => {
    const { status, body } = await segments.api.post('/segments/preview', { rules });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.warnings;
  };
  /** Of one rule with one condition. */
  const ofCondition = async (condition: object, events: object = { event: 'Order Completed' }) =>
    ofRules({ ...events, where: [condition], within: '30d', operator: 'gte', value: 1 });

  it('are in the answers to previews, creations and changes, and refuse nothing', async () => {
    const rules = [{ ...TOTAL, operator: 'gte', value: 5 }];
    const warnings = [{ path: 'rules[0].of', ...UNKNOWN_TOTAL }];
    expect(await ofRules(...rules)).toEqual(warnings);
    const created = await segments.api.post('/segments', { name: 'Misspelt', rules });
    expect(created).toMatchObject({ status: 201, body: { rules, warnings } });
    const path = `/segments/${created.body.id}`;
    expect((await segments.api.put(path, { rules: [{ rules }] })).body.warnings).toEqual([
      { path: 'rules[0].rules[0].of', ...UNKNOWN_TOTAL },
    ]);
    const mended = [{ ...rules[0], of: 'properties.total' }];
    expect((await segments.api.put(path, { rules: mended })).body.warnings).toEqual([]);
  });

  it('are in the answers to computed traits, by member', async () => {
    const where = [{ field: 'properties.categori', operator: 'eq', value: 'shoes' }];
    const created = await segments.api.post('/computed-traits', { name: 'spent', ...TOTAL, where });
    const warnings = [
      { path: 'of', ...UNKNOWN_TOTAL },
      {
        path: 'where[0].field',
        code: 'unknown_path',
        message:
          'None of the newest 2 stored events called `Order Completed` has `properties.categori`; did you mean `properties.category`?',
      },
    ];
    expect(created).toMatchObject({ status: 201, body: { warnings } });
    const path = `/computed-traits/${created.body.id}`;
    const changed = await segments.api.put(path, { ...TOTAL, event: 'Order Complete' });
    expect(changed.body.warnings).toEqual([
      {
        path: 'event',
        code: 'unknown_event',
        message: 'No profile has an event called `Order Complete`; did you mean `Order Completed`?',
      },
    ]);
    const mended = await segments.api.put(path, { ...TOTAL, of: 'properties.total' });
    expect(mended.body.warnings).toEqual([]);
    // A segment is not told of what its computed traits are of.
    await segments.api.put(path, TOTAL);
    expect(await ofRules({ field: 'computed.spent', operator: 'gte', value: 1 })).toEqual([]);
    expect((await segments.api.get(path)).body).not.toHaveProperty('warnings');
    await segments.api.delete(path);
  });

  it('are given of each step of a sequence, with a path that may be meant', async () => {
    const has = (field: string): object => ({ field, operator: 'exists' });
    const warnings = await ofRules({
      sequence: [
        { event: 'Order Completed', where: [has('properties.total'), has('properties.coupon')] },
        { event: 'Refund', where: [has('total')] },
      ],
      not: { event: 'Refund', type: 'track', where: [has('properties.reason')], within: '1d' },
      within: '30d',
    });
    expect(warnings).toEqual([
      {
        path: 'rules[0].sequence[0].where[1].field',
        code: 'unknown_path',
        message:
          'None of the newest 2 stored events called `Order Completed` has `properties.coupon`; did you mean `properties.cart.coupon`?',
      },
      {
        path: 'rules[0].sequence[1].where[0].field',
        code: 'unknown_path',
        message:
          'None of the newest 2 stored events called `Refund` has `total`; did you mean `properties.net\\.total`?',
      },
      {
        path: 'rules[0].not.where[0].field',
        code: 'unknown_path',
        message: 'The only stored event called `Refund` has no `properties.reason`.',
      },
    ]);
  });

  it('are given of values that are of another type than what is asked of them', async () => {
    const rule = { event: 'Order Completed', within: '30d', operator: 'gte', value: 5 };
    expect(await ofRules({ ...rule, aggregate: 'sum', of: 'properties.price' })).toEqual([
      {
        path: 'rules[0].of',
        code: 'unusable_values',
        message:
          'In the newest 2 stored events called `Order Completed` there are texts at `properties.price`: `sum` looks at numbers alone.',
      },
    ]);
    expect(await ofCondition({ field: 'properties.price', operator: 'gte', value: 500 })).toEqual([
      {
        path: 'rules[0].where[0].field',
        code: 'unusable_values',
        message:
          'In the newest 2 stored events called `Order Completed` there are texts at `properties.price`: `gte` with this value looks at numbers alone.',
      },
    ]);
    expect(await ofCondition({ field: 'properties.items', operator: 'eq', value: 'a' })).toMatchObject([
      { message: expect.stringContaining('there are lists at `properties.items`') },
    ]);
    expect(await ofCondition({ field: 'properties.items', operator: 'contains', value: 'a' })).toEqual([]);
    expect(await ofCondition({ field: 'properties.items.0', operator: 'eq', value: 'a' })).toEqual([]);
  });

  it('know events that are called as their type', async () => {
    const path = { field: 'properties.path', operator: 'eq', value: '/' };
    const title = { field: 'properties.title', operator: 'eq', value: '/' };
    expect(await ofCondition(path, { event: 'page' })).toEqual([]);
    expect(await ofCondition(title, { event: 'page' })).toMatchObject([
      { message: 'The only stored event called `page` has no `properties.title`.' },
    ]);
    const plan = { field: 'traits.plam', operator: 'exists' };
    expect(await ofCondition(plan, { event: 'identify' })).toMatchObject([
      {
        message: 'The only stored event called `identify` has no `traits.plam`; did you mean `traits.plan`?',
      },
    ]);
    const id = { field: 'sourceId', operator: 'exists' };
    expect(await ofCondition(id)).toMatchObject([{ code: 'unknown_path' }]);
  });

  it('are not given of events that nobody has sent: that is another warning', async () => {
    const warnings = await ofCondition({ field: 'properties.totl', operator: 'exists' }, { event: 'Never' });
    expect(warnings).toMatchObject([{ path: 'rules[0].event', code: 'unknown_event' }]);
    const ofType = { event: 'Order Completed', type: 'screen' };
    expect(await ofCondition({ field: 'properties.totl', operator: 'exists' }, ofType)).toEqual([]);
  });

  it('are left out where the events cannot be read in time', async () => {
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('lock table event in access exclusive mode');
      const created = await segments.api.post('/computed-traits', { name: 'unread', ...TOTAL });
      expect(created).toMatchObject({ status: 201, body: { warnings: [] } });
    } finally {
      await other.end();
    }
  });
});
