import * as fc from 'fast-check';
import type { JsonValue } from '../../src/events/customer-event';
import { Config } from '../../src/platform/config/config';
import { compareClocks } from '../../src/platform/database/connections/database-clock';
import { computedValuesOf } from '../../src/segments/computed-traits/values-of';
import { AGGREGATES } from '../../src/segments/rules/measure';
import type { Rule } from '../../src/segments/rules/rule';
import { eventually } from '../support/eventually';
import { measuredBy, type SentEvent } from '../support/measure-oracle';
import { randomWindow } from '../support/random-window';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const PAID = {
  name: 'paid',
  event: 'Order Completed',
  where: [{ field: 'properties.currency', operator: 'eq', value: 'EUR' }],
  aggregate: 'sum',
  of: 'properties.total',
  within: '90d',
};

describe('computed traits', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
  });
  afterAll(() => service.close());

  /** One that no other test has. */
  async function create(trait: object): Promise<{ id: string; name: string }> {
    const { status, body } = await segments.api.post('/computed-traits', {
      ...PAID,
      name: `trait_${segments.next()}`,
      ...trait,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }
  const computedOf = async (userId: string): Promise<Record<string, JsonValue>> =>
    (await segments.api.get(`/profiles/${userId}`)).body.computed;
  const order = (userId: string, total: unknown, currency = 'EUR'): object => ({
    userId,
    event: 'Order Completed',
    properties: { total, currency },
  });

  it('are shown with the profile, as the stored events are', async () => {
    const paid = await create({});
    const last = await create({ aggregate: 'last', of: 'properties.currency', where: undefined });
    const most = await create({ aggregate: 'most_frequent', of: 'properties.currency', where: undefined });
    const avg = await create({ aggregate: 'avg', event: 'Never' });
    await segments.send([order('shown', 10), order('shown', 5, 'USD')]);
    await segments.send([order('shown', 2.5)]);
    const computed = await computedOf('shown');
    expect(computed).toMatchObject({ [paid.name]: 12.5, [last.name]: 'EUR', [most.name]: 'EUR' });
    expect(computed).not.toHaveProperty(avg.name);
    await segments.send([
      { type: 'identify', userId: 'shown', anonymousId: 'shown-before' },
      { ...order('', 100), userId: undefined, anonymousId: 'shown-before' },
    ]);
    expect(await computedOf('shown')).toMatchObject({ [paid.name]: 112.5 });
    await segments.database.query(
      `update event set "timestamp" = "timestamp" - interval '91 days' where subject = 'u:shown'`,
    );
    expect(await computedOf('shown')).toMatchObject({ [paid.name]: 100 });
  });

  it('have windows by the clock of PostgreSQL', async () => {
    const { name } = await create({ within: '30d' });
    await segments.send([order('timed', 10)]);
    const { retentionDays } = service.app.get(Config).events;
    const seen = async (): Promise<unknown[]> => {
      const values = await segments.database.transaction((tx) =>
        computedValuesOf(['u:timed'], [name], retentionDays, tx),
      );
      return [(await computedOf('timed'))[name], values.get('u:timed')?.[name]];
    };
    expect(await seen()).toEqual([10, 10]);
    const ahead = (days: number) => ({
      query: () => Promise.resolve({ rows: [{ now_ms: Date.now() + days * 24 * 3600_000 }] }),
    });
    await compareClocks(ahead(31));
    const later = await seen();
    await compareClocks(ahead(0));
    expect(later).toEqual([0, 0]);
  });

  it('can be asked about by rules, which people enter and leave as their events come', async () => {
    const { id, name } = await create({});
    const rule: Rule = { field: `computed.${name}`, operator: 'gte', value: 50 };
    const before = await segments.createSegment([rule]);
    await segments.send([order('ruled', 30)]);
    expect(await segments.members(before)).not.toContain('ruled');
    await segments.send([order('ruled', 20)]);
    expect(await segments.members(before)).toContain('ruled');
    const after = await segments.createSegment([{ not: true, rules: [rule] }]);
    expect(await segments.members(after)).not.toContain('ruled');
    expect(await segments.preview([rule])).toContain('ruled');
    expect((await segments.api.get(`/segments/${before}/explain/ruled`)).body.rules).toMatchObject([
      { rule, seen: 50, events: [{ value: 20 }, { value: 30 }], verdict: true },
    ]);
    await segments.send([order('ruled', -1)]);
    expect(await segments.members(before)).not.toContain('ruled');
    await eventually(async () => expect(await segments.members(after)).toContain('ruled'));
    // What the rules mean does not change under them.
    for (const [member, change] of [
      ['within', { ...PAID, name, within: '30d' }],
      ['name', { name: 'other' }],
    ] as const) {
      expect(await segments.api.put(`/computed-traits/${id}`, change)).toMatchObject({
        status: 409,
        body: {
          code: 'computed_trait_in_use',
          detail: expect.stringMatching(/Segment .* make a new one/),
          errors: [{ path: member, code: 'computed_trait_in_use' }],
        },
      });
    }
    // Nobody is to complete a part first, and then hear that it cannot be changed.
    expect(await segments.api.put(`/computed-traits/${id}`, { within: '30d' })).toMatchObject({
      status: 409,
      body: { code: 'computed_trait_in_use' },
    });
    expect(await segments.api.delete(`/computed-traits/${id}`)).toMatchObject({ status: 409 });
    expect(await segments.api.put(`/computed-traits/${id}`, { description: 'All of it' })).toMatchObject({
      status: 200,
      body: { description: 'All of it', version: 2, within: '90d' },
    });
    await Promise.all([before, after].map((segment) => segments.api.delete(`/segments/${segment}`)));
    const { where: _where, ...everywhere } = { ...PAID, name, within: '30d' };
    const changed = await segments.api.put(`/computed-traits/${id}`, everywhere);
    expect(changed).toMatchObject({
      status: 200,
      body: { within: '30d', version: 3, description: 'All of it' },
    });
    expect(changed.body).not.toHaveProperty('where');
    expect(await segments.api.put(`/computed-traits/${id}`, { within: '3d' })).toMatchObject({ status: 400 });
    expect(await segments.api.delete(`/computed-traits/${id}`)).toMatchObject({ status: 204 });
    expect(await segments.api.get(`/computed-traits/${id}`)).toMatchObject({ status: 404 });
    const { body: audit } = await segments.api.get(`/audit?resourceId=${id}`);
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'delete',
      'update',
      'update',
      'create',
    ]);
  });

  it('are never changed while a segment begins to ask about them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, name } = await create({});
      const rules = [{ field: `computed.${name}`, operator: 'gte', value: 1 }];
      const [segment, deleted] = await Promise.all([
        segments.api.post('/segments', { name: `Race ${segments.next()}`, rules }),
        segments.api.delete(`/computed-traits/${id}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([segment.status, deleted.status]);
    }
  });

  it('are known to rules under names that are theirs alone', async () => {
    const { name } = await create({});
    expect(await segments.api.post('/computed-traits', { ...PAID, name })).toMatchObject({
      status: 409,
      body: {
        code: 'name_taken',
        errors: [{ path: 'name', message: expect.not.stringContaining('allowDuplicate') }],
      },
    });
    for (const field of ['computed.nobody', 'computed.', `computed.${name}.x`]) {
      expect(
        await segments.api.post('/segments/preview', { rules: [{ field, operator: 'exists' }] }),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'rules[0].field', code: 'unknown_computed_trait' }] },
      });
    }
    const trait = { field: 'traits.computed.nobody', operator: 'eq', value: 1 };
    await segments.send([{ type: 'identify', userId: 'has-it', traits: { computed: { nobody: 1 } } }]);
    expect(await segments.preview([trait as Rule])).toEqual(['has-it']);
    const withMember = { field: `computed.${name}`, operator: 'gte', value: 1, within: '3d' };
    expect(await segments.api.post('/segments/preview', { rules: [withMember] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'rules[0].within', code: 'not_applicable' }] },
    });
  });

  it('say how times are written', async () => {
    const given = { ...PAID, name: 'times', within: '90 days' };
    expect((await segments.api.post('/computed-traits', given)).body.errors).toMatchObject([
      { path: 'within', code: 'invalid_within', message: expect.stringContaining('30d') },
    ]);
    const range = { ...given, within: undefined, from: '2026' };
    expect((await segments.api.post('/computed-traits', range)).body.errors).toMatchObject([
      { path: 'from', code: 'invalid_time' },
    ]);
  });

  it('say that what is null is left out', async () => {
    expect(await segments.api.post('/computed-traits', { ...PAID, name: 'nulls', from: null })).toMatchObject(
      {
        status: 400,
        body: {
          errors: [
            {
              path: 'from',
              code: 'is_string',
              message: 'from must be a string, not null: leave it out where there is none',
            },
          ],
        },
      },
    );
  });

  it.each<[object, string]>([
    [{ name: '1st' }, 'name'],
    [{ name: 'a.b' }, 'name'],
    [{ event: undefined }, 'event'],
    [{ event: '' }, 'event'],
    [{ aggregate: undefined }, 'aggregate'],
    [{ aggregate: 'median' }, 'aggregate'],
    [{ of: undefined }, 'of'],
    [{ aggregate: 'count' }, 'of'],
    [{ within: undefined }, 'within'],
    [{ within: '2w' }, 'within'],
    [{ within: '365d' }, 'within'],
    [{ from: '2026-11-01' }, 'within'],
    [{ within: undefined, from: '2026-11-31' }, 'from'],
    [{ within: undefined, to: '1d' }, 'to'],
    [{ within: undefined, from: '2026-11-01', to: '2026-11-01' }, 'to'],
    [{ where: [] }, 'where'],
    [{ where: [{ field: 'a', operator: 'is' }] }, 'where[0].operator'],
    [{ where: [{ field: 'computed.paid', operator: 'gte', value: 1 }] }, 'where[0].field'],
    [{ of: 'computed.paid' }, 'of'],
    [{ type: 'click' }, 'type'],
    [{ operator: 'gt' }, 'operator'],
  ])('refuses %j', async (change, path) => {
    const { status, body } = await segments.api.post('/computed-traits', { ...PAID, ...change });
    expect({ status, paths: [...new Set(body.errors.map((error: { path: string }) => error.path))] }).toEqual(
      {
        status: 400,
        paths: [path],
      },
    );
  });

  it('come with a warning where their range is from before events are kept', async () => {
    const { within: _, ...ranged } = PAID;
    const name = `trait_${segments.next()}`;
    const old = { ...ranged, name, from: '2001-11-01', to: '2001-12-01' };
    const created = await segments.api.post('/computed-traits', old);
    expect(created).toMatchObject({
      status: 201,
      body: { warnings: [{ path: 'from', code: 'range_beyond_retention' }] },
    });
    const until = await segments.api.put(`/computed-traits/${created.body.id}`, {
      ...ranged,
      to: '2001-12-01',
    });
    expect(until.body.warnings).toMatchObject([{ path: 'to', code: 'range_beyond_retention' }]);
    const now = await segments.api.put(`/computed-traits/${created.body.id}`, { ...ranged, within: '90d' });
    expect(now.body.warnings).toEqual([]);
  });

  describe('are previewed', () => {
    const event = 'Preview Ordered';
    const preview = async (definition: object): Promise<unknown> => {
      const { status, body } = await segments.api.post('/computed-traits/preview', {
        event,
        within: '30d',
        ...definition,
      });
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    };

    beforeAll(async () => {
      const of = (userId: string | undefined, total: JsonValue, more: object = {}): object => ({
        ...(userId === undefined ? {} : { userId }),
        event,
        properties: { total },
        ...more,
      });
      await segments.send([
        of('previewed-1', 10),
        of('previewed-1', 2.5),
        of('previewed-2', 0),
        of('previewed-3', 'free'),
        of(undefined, 5, { anonymousId: 'previewed-before' }),
        of(undefined, 5, { anonymousId: 'previewed-visitor' }),
        { type: 'identify', userId: 'previewed-2', anonymousId: 'previewed-before' },
        { userId: 'previewed-4', event: 'Something Else' },
      ]);
    });

    it.each<[object, [person: string, value: JsonValue][]]>([
      [
        { aggregate: 'sum', of: 'properties.total' },
        [
          ['1', 12.5],
          ['2', 5],
        ],
      ],
      [
        { aggregate: 'min', of: 'properties.total' },
        [
          ['1', 2.5],
          ['2', 0],
        ],
      ],
      [
        { aggregate: 'count' },
        [
          ['1', 2],
          ['2', 2],
          ['3', 1],
        ],
      ],
      [{ aggregate: 'last', of: 'properties.total', type: 'page' }, []],
      [
        {
          aggregate: 'first',
          of: 'properties.total',
          where: [{ field: 'properties.total', operator: 'lt', value: 3 }],
        },
        [
          ['1', 2.5],
          ['2', 0],
        ],
      ],
      [{ aggregate: 'most_frequent', of: 'properties.total', within: undefined, to: '2026-01-01' }, []],
    ])('as they would be: %j', async (definition, values) => {
      expect(await preview(definition)).toMatchObject({
        count: values.length,
        sample: values.map(([person, value]) => ({ userId: `previewed-${person}`, value })),
      });
    });

    it('with as many people as are asked for, and what is probably not meant', async () => {
      const { body: before } = await segments.api.get('/computed-traits');
      const values = { aggregate: 'last', of: 'properties.totl' };
      expect(await preview({ ...values, event: 'Preview ordered' })).toMatchObject({
        count: 0,
        sample: [],
        warnings: [{ path: 'event', code: 'unknown_event' }],
      });
      expect(await preview(values)).toMatchObject({ warnings: [{ path: 'of', code: 'unknown_path' }] });
      expect(await preview({ aggregate: 'count', sample: 1 })).toEqual({
        count: 3,
        estimated: false,
        low: 3,
        high: 3,
        sample: [{ userId: 'previewed-1', value: 2 }],
        warnings: [],
      });
      expect((await segments.api.get('/computed-traits')).body).toEqual(before);
    });

    it('as a client writes it, which may be wrong', async () => {
      const previewed = await segments.api.post('/computed-traits/preview', {
        event,
        aggregate: 'sum',
        within: '400d',
      });
      expect(previewed).toMatchObject({ status: 400, body: { errors: [{ path: 'of' }] } });
      const long = { event, aggregate: 'count', within: '400d' };
      expect(await segments.api.post('/computed-traits/preview', long)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'within', code: 'window_beyond_retention' }] },
      });
      const sample = { ...long, within: '30d', sample: 101 };
      expect((await segments.api.post('/computed-traits/preview', sample)).status).toBe(400);
    });
  });

  it('are a hundred at most', async () => {
    const { body: before } = await segments.api.get<{ id: string }[]>('/computed-traits');
    const made = await Promise.all(
      Array.from({ length: 100 - before.length }, (_, at) =>
        create({ aggregate: 'count', of: undefined, within: `${at + 1}d` }),
      ),
    );
    expect(await segments.api.post('/computed-traits', { ...PAID, name: 'one_more' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_computed_traits' },
    });
    await segments.send([order('many', 1)]);
    const counted = await computedOf('many');
    expect(made.map(({ name }) => counted[name])).toEqual(made.map(() => 1));
    await Promise.all(made.map(({ id }) => segments.api.delete(`/computed-traits/${id}`)));
  });

  it('have the values that counting the stored events afresh would give', async () => {
    const seed = Number(process.env.CDP_TEST_SEED ?? Date.now() % 1_000_000);
    const definition = fc.record({
      aggregate: fc.constantFrom(...AGGREGATES),
      when: randomWindow(8),
      where: fc.constantFrom(
        undefined,
        [{ field: 'properties.total', operator: 'gt', value: 1 }],
        [{ field: 'properties.currency', operator: 'neq', value: 'EUR' }],
      ),
    });
    const definitions = fc.sample(definition, { numRuns: 30, seed }).map(({ when, ...given }) => ({
      ...given,
      within: undefined,
      ...when,
      event: 'Paid',
      of: given.aggregate === 'count' ? undefined : 'properties.total',
    }));
    const sent = fc
      .sample(
        fc.record({
          person: fc.integer({ min: 0, max: 4 }),
          hoursAgo: fc.oneof(
            { weight: 15, arbitrary: fc.integer({ min: 0, max: 200 }) },
            { weight: 1, arbitrary: fc.integer({ min: 363 * 24, max: 366 * 24 }) },
          ),
          total: fc.constantFrom<JsonValue>(0.1, 0.2, 3, -1, '3', null),
          currency: fc.constantFrom('EUR', 'USD'),
        }),
        { numRuns: 120, seed },
      )
      .map(({ person, hoursAgo, total, currency }, at) => ({
        person,
        event: 'Paid',
        timestamp: new Date(Date.now() - hoursAgo * 3_600_000 - at).toISOString(),
        properties: { total, currency },
      }));
    const traits = await Promise.all(definitions.map((given) => create(given)));
    for (let from = 0; from < sent.length; from += 40) {
      const part = sent.slice(from, from + 40);
      await segments.send(part.map(({ person, ...event }) => ({ ...event, userId: `o-${person}` })));
    }
    for (let person = 0; person < 5; person += 1) {
      const computed = await computedOf(`o-${person}`);
      const events: SentEvent[] = sent.filter((event) => event.person === person);
      for (const [at, { name }] of traits.entries()) {
        const value = measuredBy(definitions[at] as unknown as Rule, events, Date.now());
        const expected = typeof value === 'number' ? expect.closeTo(value, 10) : value;
        expect({ seed, of: definitions[at], value: computed[name] }).toEqual({
          seed,
          of: definitions[at],
          value: expected,
        });
      }
    }
  });
});
