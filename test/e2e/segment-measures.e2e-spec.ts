import * as fc from 'fast-check';
import type { JsonValue } from '../../src/events/customer-event';
import type { Database } from '../../src/platform/database/database';
import { type Aggregate, AGGREGATES, isOfEvent } from '../../src/segments/rules/measure';
import type { Rule } from '../../src/segments/rules/rule';
import type { ApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { countsFor, holdsOf, leavesAt, measuredBy, type SentEvent } from '../support/measure-oracle';
import { randomWindow } from '../support/random-window';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const DAY_MS = 86_400_000;
/** More of them for a longer run: up to some 80, all of whom a preview can show. */
const PEOPLE = Number(process.env.CDP_TEST_PEOPLE ?? 12);
const EVENTS_EACH = 35;
const SPENT: Rule = {
  event: 'Order Completed',
  where: [{ field: 'properties.category', operator: 'eq', value: 'shoes' }],
  aggregate: 'sum',
  of: 'properties.total',
  within: '30d',
  operator: 'gte',
  value: 500,
};

/** An event of one of the people, under one of the ids that turn out to be theirs. */
type Sent = SentEvent & { readonly messageId: string; readonly person: number; readonly ids: object };

const total: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0.1, 0.2, 0.3, 1, 19.99, -5, 100, 0) },
  { weight: 1, arbitrary: fc.constantFrom('12', null, [1], true, undefined) },
);
const properties = fc.record({
  total,
  category: fc.constantFrom<JsonValue | undefined>('shoes', 'Shoes', 'hats', 5, null, undefined),
});
const randomEvent = fc.record({
  person: fc.integer({ min: 0, max: PEOPLE - 1 }),
  id: fc.constantFrom('user', 'visitor', 'former'),
  event: fc.constantFrom('Order Completed', 'Order Completed', 'Visit'),
  // Some are so old that not even a range has them, or that they are about to leave it.
  daysAgo: fc.oneof(
    { weight: 15, arbitrary: fc.integer({ min: 0, max: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 363, max: 366 }) },
  ),
  properties,
});
const where = fc.array(
  fc.oneof(
    fc.record({
      field: fc.constant('properties.category'),
      operator: fc.constantFrom('eq', 'neq', 'starts_with'),
      value: fc.constantFrom('shoes', 'S', 'hats'),
    }),
    fc.record({
      field: fc.constant('properties.total'),
      operator: fc.constantFrom('gt', 'lte', 'exists'),
      value: fc.constantFrom(0, 0.2, 19.99),
    }),
  ),
  { maxLength: 2 },
);
const randomRule = fc
  .record({
    where,
    event: fc.constantFrom('Order Completed', 'Visit'),
    aggregate: fc.constantFrom(...AGGREGATES),
    when: randomWindow(12),
    operator: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
    value: fc.constantFrom(0, 1, 2, 0.3, 0.6, 19.99, 100),
  })
  .map(({ where: conditions, when, ...rule }) => ({
    ...rule,
    ...when,
    ...(rule.aggregate === 'count' ? {} : { of: 'properties.total' }),
    ...(isOfEvent(rule) && rule.value === 0 && { of: 'properties.category', value: 'shoes' }),
    ...(conditions.length > 0 && {
      where: conditions.map((test) => (test.operator === 'exists' ? { ...test, value: undefined } : test)),
    }),
  })) as fc.Arbitrary<Rule>;

describe('segments on what is in events', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;
  let api: ApiClient;
  let database: Database;

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
    ({ api, database } = segments);
  });
  afterAll(() => service.close());

  const send = (batch: readonly object[]): Promise<void> => segments.send(batch);
  const createSegment = (rules: readonly Rule[]): Promise<string> => segments.createSegment(rules);
  const members = (segmentId: string): Promise<string[]> => segments.members(segmentId);

  const order = (userId: string, orderTotal: unknown, category = 'shoes'): object => ({
    userId,
    event: 'Order Completed',
    properties: { total: orderTotal, category },
  });

  it('has who spent so much on something, with preview and explanation', async () => {
    const id = await createSegment([SPENT]);
    await send([order('spender', 300), order('other', 600, 'hats'), order('other', '900')]);
    expect(await members(id)).toEqual([]);
    await send([order('spender', 200)]);
    expect(await members(id)).toEqual(['spender']);
    expect((await api.post('/segments/preview', { rules: [SPENT] })).body).toMatchObject({
      count: 1,
      sample: ['spender'],
      warnings: [],
    });
    expect((await api.get(`/segments/${id}/explain/spender`)).body).toMatchObject({
      member: true,
      verdict: true,
      rules: [
        {
          seen: 500,
          verdict: true,
          rule: SPENT,
          events: [
            { value: 200, timestamp: expect.any(String) },
            { value: 300, id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
          ],
        },
      ],
    });
    expect((await api.get(`/segments/${id}/explain/other`)).body).toMatchObject({
      member: false,
      rules: [{ seen: 0, verdict: false }],
    });
    await send([order('spender', -1)]);
    expect(await members(id)).toEqual([]);
  });

  it.each<[Aggregate, unknown[]]>([
    ['count', [null, undefined, ['a'], true, '99.9', 2]],
    ['unique', [['a'], true, '99.9', 2]],
    ['sum', [2]],
    ['max', [2]],
    ['last', [true, '99.9', 2]],
  ])('shows in the explanation of %s the events that count alone', async (aggregate, values) => {
    const userId = `shown-${aggregate}`;
    const of = aggregate === 'count' ? {} : { of: 'properties.total' };
    const id = await createSegment([
      { event: 'Order Completed', aggregate, ...of, within: '30d', operator: 'gte', value: 1 },
    ]);
    for (const total of [2, '99.9', true, ['a'], undefined, null]) await send([order(userId, total)]);
    const { body } = await api.get(`/segments/${id}/explain/${userId}`);
    const shown = body.rules[0].events as { value?: unknown }[];
    expect(shown).toHaveLength(values.length);
    if (aggregate !== 'count') expect(shown.map(({ value }) => value)).toEqual(values);
  });

  it('has whose last event says something, in the order of their time', async () => {
    const bought = (aggregate: 'first' | 'last', operator: 'eq' | 'starts_with', value: string): Rule => ({
      event: 'Order Completed',
      aggregate,
      of: 'properties.category',
      within: '30d',
      operator,
      value,
    });
    const started = await createSegment([bought('first', 'eq', 'boots')]);
    const ended = await createSegment([bought('last', 'starts_with', 'bo')]);
    const at = (hours: number, category: unknown): object => ({
      ...order('reader', 1),
      properties: { category },
      timestamp: new Date(Date.now() - hours * 3_600_000).toISOString(),
    });
    await send([at(30, 'boots')]);
    await send([at(1, 'books')]);
    await send([at(4, 'hats'), at(0, null), at(0, ['boots']), at(0, 'b'.repeat(1_001)), at(40, undefined)]);
    expect([await members(started), await members(ended)]).toEqual([['reader'], ['reader']]);
    const rules = [bought('last', 'starts_with', 'bo'), bought('first', 'eq', 'boots')];
    expect((await api.post('/segments/preview', { rules })).body).toMatchObject({ sample: ['reader'] });
    expect((await api.get(`/segments/${ended}/explain/reader`)).body.rules).toMatchObject([
      { seen: 'books' },
    ]);
    await send([at(50, 'socks'), at(0, 'gloves')]);
    expect([await members(started), await members(ended)]).toEqual([[], []]);
  });

  it('has whose events say one thing most often, of several the one seen last', async () => {
    const most = (operator: 'eq' | 'in' | 'not_exists', value?: JsonValue, within = '30d'): Rule => ({
      event: 'Order Completed',
      aggregate: 'most_frequent',
      of: 'properties.category',
      within,
      operator,
      ...(value !== undefined && { value }),
    });
    const boots = await createSegment([most('eq', 'boots')]);
    const recent = await createSegment([most('in', ['boots', 'hats'], '2h')]);
    const at = (hours: number, category: unknown): object => ({
      ...order('fan', 1),
      properties: { category },
      timestamp: new Date(Date.now() - hours * 3_600_000).toISOString(),
    });
    const everybody = async (): Promise<string[][]> => [await members(boots), await members(recent)];
    await send([at(5, 'boots'), at(40, 'boots'), at(0, 'hats'), at(1, 'gloves')]);
    expect(await everybody()).toEqual([['fan'], ['fan']]);
    // Neither a list nor a long text is a value, however often it is there.
    await send([...[1, 2, 3, 4, 5].map((hours) => at(hours, ['boots'])), at(0, 'b'.repeat(1_001))]);
    expect(await everybody()).toEqual([['fan'], ['fan']]);
    await send([at(1, 'gloves')]);
    expect(await everybody()).toEqual([[], []]);
    expect((await api.get(`/segments/${boots}/explain/fan`)).body.rules).toMatchObject([{ seen: 'gloves' }]);
    await send([at(300, 'boots')]);
    expect(await everybody()).toEqual([['fan'], []]);
    expect((await api.post('/segments/preview', { rules: [most('eq', 'boots')] })).body.sample).toEqual([
      'fan',
    ]);
    // Without the event of 300 hours ago, which will leave first, it is another value again.
    const [due] = await database.query<{ days: number }>(
      `select min(due_at::date) - (now() - interval '300 hours')::date as days
       from segment_member where subject = 'u:fan' and member and due_at is not null`,
    );
    expect(due).toEqual({ days: 31 });
  });

  it('lets people leave when the window has passed, without an event', async () => {
    const id = await createSegment([SPENT]);
    await send([order('window', 500)]);
    expect(await members(id)).toEqual(['window']);
    // As if 31 days had passed for this person.
    await database.query(
      `update event set "timestamp" = "timestamp" - interval '31 days' where subject = 'u:window'`,
    );
    const [due] = await database.query<{ days: number }>(
      `with moved as (
         update segment_member set due_at = due_at - interval '31 days' where subject = 'u:window' and member
         returning due_at
       ) select min(due_at::date) - (
           select (min("timestamp" at time zone 'UTC') + interval '31 days')::date from event where subject = 'u:window'
         ) as days from moved`,
    );
    expect(due).toEqual({ days: 0 });
    await eventually(async () => expect(await members(id)).toEqual([]));
  });

  it('counts in hours, in which people leave without an event', async () => {
    const id = await createSegment([{ event: 'Ticket Opened', within: '3h', operator: 'gte', value: 2 }]);
    await send([0, 1].map(() => ({ userId: 'hours', event: 'Ticket Opened' })));
    expect(await members(id)).toEqual(['hours']);
    const hours = async (): Promise<unknown> =>
      database.query(
        `select round(extract(epoch from due_at - (
           select date_trunc('hour', min("timestamp")) from event where subject = 'u:hours'
         )) / 3600)::integer as hours
         from segment_member where subject = 'u:hours' and member and due_at is not null`,
      );
    expect(await hours()).toEqual([{ hours: 4 }]);
    await database.query(
      `update event set "timestamp" = "timestamp" - interval '4 hours' where subject = 'u:hours'`,
    );
    await database.query(
      `update segment_member set due_at = due_at - interval '4 hours' where subject = 'u:hours' and member`,
    );
    await eventually(async () => expect(await members(id)).toEqual([]));
  });

  it('counts what is from one time on and before another, to the millisecond', async () => {
    const hoursAgo = (hours: number): number => Date.now() - hours * 3_600_000;
    const [fromMs, toMs] = [hoursAgo(50), hoursAgo(20)];
    const rule = {
      event: 'Fair Visited',
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      operator: 'gte',
      value: 2,
    } as const;
    const live = await createSegment([rule]);
    const at = (userId: string, ...ms: number[]): object[] =>
      ms.map((each) => ({ userId, event: 'Fair Visited', timestamp: new Date(each).toISOString() }));
    await send([
      ...at('in-range', fromMs, toMs - 1),
      ...at('around', fromMs - 1, fromMs, toMs),
      ...at('after', toMs, hoursAgo(0), hoursAgo(1)),
    ]);
    const computed = await createSegment([rule]);
    expect([await members(live), await members(computed)]).toEqual([['in-range'], ['in-range']]);
    expect((await api.post('/segments/preview', { rules: [rule] })).body).toMatchObject({
      count: 1,
      sample: ['in-range'],
      warnings: [],
    });
    const { body } = await api.get(`/segments/${live}/explain/around`);
    expect(body.rules).toMatchObject([
      { rule, seen: 1, events: [{ id: expect.any(String) }], verdict: false },
    ]);
    const ends = [
      { from: '0001-01-01T00:00:00+23:59', to: '9999-12-31T23:59:59-23:59' },
      { from: '9999-12-31' },
      { to: '0001-01-01' },
    ].map((range) => ({ event: 'Fair Visited', ...range, operator: 'gt', value: 0 }) as const);
    const extremes = await Promise.all(ends.map((each) => createSegment([each])));
    // It comes late, which makes no difference.
    await send(at('around', fromMs + 1));
    expect(await members(live)).toEqual(['around', 'in-range']);
    const found = await Promise.all(extremes.map((id) => members(id)));
    expect(found.map((ids) => ids.length)).toEqual([3, 0, 0]);
    const previews = ends.map((each) => api.post('/segments/preview', { rules: [each] }));
    expect((await Promise.all(previews)).map((answer) => answer.body.count)).toEqual([3, 0, 0]);
  });

  it('counts in a range only what is not about to be dropped, and says so', async () => {
    const rule = (operator: 'gte' | 'eq', value: number): Rule => ({
      event: 'Anniversary',
      from: '2001-01-01',
      operator,
      value,
    });
    const [some, none] = [await createSegment([rule('gte', 1)]), await createSegment([rule('eq', 0)])];
    const daysAgo = (userId: string, days: number): object => ({
      userId,
      event: 'Anniversary',
      timestamp: new Date(Date.now() - days * DAY_MS).toISOString(),
    });
    await send([daysAgo('kept', 364), daysAgo('dropped', 365)]);
    const ofThem = async (id: string): Promise<string[]> =>
      (await members(id)).filter((userId) => userId === 'kept' || userId === 'dropped');
    const computed = await createSegment([rule('gte', 1)]);
    expect([await ofThem(some), await ofThem(none), await ofThem(computed)]).toEqual([
      ['kept'],
      ['dropped'],
      ['kept'],
    ]);
    const { body } = await api.post('/segments/preview', { rules: [rule('gte', 1)] });
    expect(body).toMatchObject({
      sample: ['kept'],
      warnings: [
        { path: 'rules[0]', code: 'range_beyond_retention', message: expect.stringContaining('365') },
      ],
    });
    // As if a day had passed.
    await database.query(
      `update event set "timestamp" = "timestamp" - interval '1 day' where subject = 'u:kept'`,
    );
    await database.query(
      `update segment_member set due_at = due_at - interval '1 day' where subject = 'u:kept'`,
    );
    await eventually(async () =>
      expect([await ofThem(some), await ofThem(none), await ofThem(computed)]).toEqual([
        [],
        ['dropped', 'kept'],
        [],
      ]),
    );
  });

  it('looks at the newest 20,000 events of an id, live and previewed', async () => {
    const rule = {
      ...SPENT,
      where: [{ field: 'properties.category', operator: 'eq', value: 'sandals' }],
    } as Rule;
    const id = await createSegment([rule]);
    const seen = async (): Promise<unknown> =>
      (await api.get(`/segments/${id}/explain/busy`)).body.rules[0].seen;
    const previewed = async (): Promise<unknown> =>
      (await api.post('/segments/preview', { rules: [rule] })).body.count;
    await send([order('busy', 500, 'sandals')]);
    expect(await members(id)).toEqual(['busy']);
    // All of them after that one.
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select subject, "timestamp" + n * interval '1 microsecond', overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid,
         source_id, type, 'Visit', '{}'
       from event, generate_series(1, 19999) as n where subject = 'u:busy' and name = 'Order Completed'`,
    );
    await database.query(`update profile set event_count = event_count + 19999 where subject = 'u:busy'`);
    expect([await seen(), await previewed()]).toEqual([500, 1]);
    await send([order('busy', 1, 'hats')]);
    // In the background, because of what others ask of these events.
    await eventually(async () => expect(await members(id)).toEqual([]));
    expect([await seen(), await previewed()]).toEqual([0, 0]);
  });

  it('forgets what was erased', async () => {
    const id = await createSegment([SPENT]);
    await send([order('erased', 450)]);
    expect(await api.delete('/profiles/erased')).toMatchObject({ status: 200 });
    await send([order('erased', 60)]);
    expect(await members(id)).not.toContain('erased');
    expect((await api.get(`/segments/${id}/explain/erased`)).body.rules).toMatchObject([{ seen: 60 }]);
  });

  it('takes numbers of any size and length', async () => {
    const id = await createSegment([{ ...SPENT, value: 1e300 }]);
    const numbers = ['1e308', '1e308', '1e400', '1e-400', `0.${'1'.repeat(20_000)}`, '9'.repeat(400)];
    for (const number of numbers) {
      const body = JSON.stringify({
        batch: [
          { ...order('sizes', 7), type: 'track', timestamp: new Date(), messageId: `n${segments.next()}` },
        ],
      }).replace('"total":7', `"total":${number}`);
      expect(await segments.events.post('/v1/batch', body)).toMatchObject({ status: 200 });
    }
    await eventually(async () => expect(await members(id)).toEqual(['sizes']));
    const again = await createSegment([{ ...SPENT, value: 1e300 }]);
    expect(await members(again)).toEqual(['sizes']);
  });

  it('sees numbers as doubles, as filters and rules do', async () => {
    for (const number of ['1234567890123456789', '1234567890123456790', '0.1', '0.10000000000000000001']) {
      const body = JSON.stringify({
        batch: [
          { ...order('long', 7), type: 'track', timestamp: new Date(), messageId: `l${segments.next()}` },
        ],
      }).replace('"total":7', `"total":${number}`);
      expect(await segments.events.post('/v1/batch', body)).toMatchObject({ status: 200 });
    }
    const about = (rule: object): Promise<string> =>
      createSegment([{ event: 'Order Completed', within: '1d', operator: 'eq', ...rule }]);
    const field = 'properties.total';
    // As it is written; JSON has no other number for it.
    const where = [{ field, operator: 'eq', value: Number('1234567890123456789') }];
    const ids = [
      await about({ where, value: 2 }),
      await about({ aggregate: 'unique', of: field, value: 2 }),
      await about({ where: [{ field, operator: 'in', value: [0.1] }], value: 2 }),
    ];
    for (const id of ids) await eventually(async () => expect(await members(id)).toContain('long'));
  });

  it('keeps to as many different values of events as a service may have, and evaluates all of them', async () => {
    const othersOf = (measure: number): NonNullable<Rule['where']> =>
      Array.from({ length: 19 }, (_, at) => ({
        field: `properties.other_${measure}_${at}`,
        operator: 'not_exists',
      }));
    const rulesOf = (segment: number): Rule[] =>
      Array.from({ length: 10 }, (_, at) => ({
        ...SPENT,
        event: 'Limited',
        where: [
          { field: 'properties.n', operator: 'lte', value: segment * 10 + at },
          ...othersOf(segment * 10 + at),
        ],
        value: 1,
      }));
    const ids: string[] = [];
    let answer = await api.post('/segments', { name: 'Limited 0', rules: rulesOf(0) });
    for (let segment = 1; answer.status === 201 && segment <= 20; segment += 1) {
      ids.push(answer.body.id);
      answer = await api.post('/segments', { name: `Limited ${segment}`, rules: rulesOf(segment) });
    }
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_measures' } });
    expect(ids.length).toBeGreaterThan(10);
    await send([{ userId: 'limited', event: 'Limited', properties: { n: 0, total: 5, other_100_3: true } }]);
    await eventually(async () => expect(await members(String(ids[9]))).toEqual(['limited']));
    expect(await members(String(ids[10]))).toEqual([]);
    // What others ask for already is no further one.
    const shared = await api.post('/segments', { name: 'Shared', rules: rulesOf(0) });
    expect(shared).toMatchObject({ status: 201 });
    await Promise.all([...ids, shared.body.id].map((id) => api.delete(`/segments/${id}`)));
  });

  it.each<[object, string]>([
    [{ event: undefined, field: 'event_count' }, 'rules[0].event missing_event'],
    [{ event: undefined }, 'rules[0].event missing_event'],
    [{ within: undefined }, 'rules[0].within missing_within'],
    [{ within: '365d' }, 'rules[0].within window_beyond_retention'],
    [{ from: '2026-11-01' }, 'rules[0].within not_applicable'],
    [{ within: undefined, from: '2026-11-31' }, 'rules[0].from invalid_time'],
    [{ within: undefined, from: '2026-11-02', to: '2026-11-01' }, 'rules[0].to empty_range'],
    [{ aggregate: 'median' }, 'rules[0].aggregate invalid_aggregate'],
    [{ of: undefined }, 'rules[0].of invalid_of'],
    [{ aggregate: 'count' }, 'rules[0].of not_applicable'],
    [{ aggregate: undefined }, 'rules[0].aggregate missing_aggregate'],
    [{ where: [] }, 'rules[0].where invalid_where'],
    [
      { where: [{ field: 'properties.a', operator: 'is', value: 1 }] },
      'rules[0].where[0].operator unknown_operator',
    ],
    [{ where: [{ field: '', operator: 'eq', value: 1 }] }, 'rules[0].where[0].field invalid_field'],
    [{ where: [{ field: 'a', operator: 'eq' }] }, 'rules[0].where[0].value invalid_value'],
    [
      { where: [{ field: 'computed.paid', operator: 'gte', value: 1 }] },
      'rules[0].where[0].field invalid_field',
    ],
    [{ of: 'computed.paid' }, 'rules[0].of invalid_of'],
    [
      {
        event: undefined,
        where: undefined,
        aggregate: undefined,
        of: undefined,
        operator: undefined,
        value: undefined,
        sequence: [{ event: 'A' }, { event: 'B', where: [{ field: 'computed.paid', operator: 'exists' }] }],
      },
      'rules[0].sequence[1].where[0].field invalid_field',
    ],
    [
      { field: 'plan', event: undefined, within: undefined, aggregate: undefined, of: undefined },
      'rules[0].where not_applicable',
    ],
    [{ value: '500' }, 'rules[0].value invalid_value'],
  ])('refuses %j', async (change, problem) => {
    for (const path of ['/segments', '/segments/preview']) {
      const { status, body } = await api.post(path, {
        ...(path === '/segments' && { name: 'Refused' }),
        rules: [{ ...SPENT, ...change }],
      });
      const found = (body.errors ?? []).map(
        (error: { path: string; code: string }) => `${error.path} ${error.code}`,
      );
      expect({ path, status, found }).toEqual({ path, status: 400, found: [problem] });
    }
  });

  it('has who counting the stored events afresh would give, live, computed and previewed', async () => {
    const seed = Number(process.env.CDP_TEST_SEED ?? Date.now() % 1_000_000);
    const rules = fc.sample(randomRule, { numRuns: 40, seed });
    const before = await Promise.all(rules.slice(0, 20).map((rule) => createSegment([rule])));
    const sent = fc.sample(randomEvent, { numRuns: PEOPLE * EVENTS_EACH, seed }).map(toSent);
    const links = Array.from({ length: PEOPLE }, (_, person) => [
      { type: 'identify', userId: `p-${person}`, anonymousId: `visitor-${person}` },
      { type: 'alias', userId: `p-${person}`, previousId: `former-${person}` },
    ]).flat();
    const everything: object[] = [
      ...sent.map(({ event, timestamp, messageId, properties: given, ids }) => ({
        event,
        timestamp,
        messageId,
        properties: given,
        ...ids,
      })),
      ...links,
    ];
    const shuffled =
      fc.sample(fc.shuffledSubarray(everything, { minLength: everything.length }), { numRuns: 1, seed })[0] ??
      [];
    for (let from = 0; from < shuffled.length; from += 30) {
      // Those before come once more.
      await send(shuffled.slice(Math.max(0, from - 10), from + 30));
    }
    const after = await Promise.all(rules.slice(20).map((rule) => createSegment([rule])));
    const eventsOf = (person: number): Sent[] => sent.filter((event) => event.person === person);
    let held = 0;
    let turns = 0;
    for (const [place, rule] of rules.entries()) {
      const id = [...before, ...after][place] ?? '';
      const people = Array.from({ length: PEOPLE }, (_, person) => person);
      const expected = people
        .filter((person) => holdsOf(rule, eventsOf(person), Date.now()))
        .map((person) => `p-${person}`);
      held += expected.length;
      const ours = (found: string[]): string[] =>
        found.filter((userId) => userId.startsWith('p-')).toSorted();
      await eventually(async () =>
        expect({ seed, rule, members: ours(await members(id)) }).toEqual({
          seed,
          rule,
          members: expected.toSorted(),
        }),
      );
      turns += await demandDueDates(id, (person) => [rule, eventsOf(person)], seed);
      const preview = await api.post('/segments/preview', { rules: [rule], sample: 100 });
      expect({ seed, rule, sample: ours(preview.body.sample) }).toEqual({
        seed,
        rule,
        sample: expected.toSorted(),
      });
      for (const person of people.filter((each) => each % 3 === place % 3)) {
        const { body } = await api.get(`/segments/${id}/explain/p-${person}`);
        const seen = measuredBy(rule, eventsOf(person), Date.now());
        const counting = eventsOf(person).filter((event) => countsFor(rule, event, Date.now())).length;
        expect({ seed, rule, person, events: body.rules[0].events.length }).toEqual({
          seed,
          rule,
          person,
          events: Math.min(counting, 10),
        });
        if (seen === undefined) expect(body.rules[0]).not.toHaveProperty('seen');
        else
          expect({ seed, rule, person, seen: body.rules[0].seen }).toMatchObject({
            seen: typeof seen === 'number' ? expect.closeTo(seen, 12) : seen,
          });
      }
    }
    // The property would say nothing if hardly anything, or nearly everything, held, or nothing ever turned.
    expect(turns).toBeGreaterThan(20);
    expect(held / (rules.length * PEOPLE)).toBeGreaterThan(0.1);
    expect(held / (rules.length * PEOPLE)).toBeLessThan(0.9);
  }, 600_000);

  /** Nobody is looked at later than when the verdict turns as events leave. Of how many it will. */
  async function demandDueDates(
    segmentId: string,
    of: (person: number) => [rule: Rule, events: readonly Sent[]],
    seed: number,
  ): Promise<number> {
    let turns = 0;
    const rows = await database.query<{ subject: string; dueMs: number }>(
      `select m.subject, (extract(epoch from m.due_at) * 1000)::float8 as "dueMs" from segment_member m
       join segment s on s.live_generation = m.generation
       where s.id = $1 and m.subject like 'u:p-%' and m.due_at is not null`,
      [segmentId],
    );
    const due = new Map(rows.map(({ subject, dueMs }) => [subject, dueMs]));
    for (let person = 0; person < PEOPLE; person += 1) {
      const [rule, events] = of(person);
      const nowMs = Date.now();
      const verdict = holdsOf(rule, events, nowMs);
      const turnsMs = events
        .map(({ timestamp }) => leavesAt(rule, Date.parse(timestamp)))
        .filter((ms) => ms > nowMs)
        .toSorted((left, right) => left - right)
        .find((ms) => holdsOf(rule, events, ms) !== verdict);
      if (turnsMs === undefined) continue;
      const dueMs = due.get(`u:p-${person}`) ?? Infinity;
      expect({ seed, rule, person, turnsMs, dueMs, isInTime: dueMs <= turnsMs }).toMatchObject({
        isInTime: true,
      });
      turns += 1;
    }
    return turns;
  }

  function toSent({
    person,
    id,
    event,
    daysAgo,
    properties: given,
  }: typeof randomEvent extends fc.Arbitrary<infer T> ? T : never): Sent {
    const place = segments.next();
    const known = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as SentEvent['properties'];
    const idsOf = {
      user: { userId: `p-${person}` },
      visitor: { anonymousId: `visitor-${person}` },
      former: { userId: `former-${person}` },
    };
    return {
      person,
      ids: idsOf[id],
      event,
      messageId: `h-${place}`,
      // No two at the same time, so that one is the first.
      timestamp: new Date(Date.now() - daysAgo * DAY_MS - place).toISOString(),
      properties: known,
    };
  }
});
