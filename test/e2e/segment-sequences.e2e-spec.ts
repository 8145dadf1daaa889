import * as fc from 'fast-check';
import type { SequenceRule } from '../../src/segments/rules/rule';
import { eventually } from '../support/eventually';
import type { SentEvent } from '../support/measure-oracle';
import { randomSequence } from '../support/random-sequences';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { sequenceHolds } from '../support/sequence-oracle';
import { startTestService, type TestService } from '../support/test-service';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More of them for a longer run: up to some 80, all of whom a preview can show. */
const PEOPLE = Number(process.env.CDP_TEST_PEOPLE ?? 12);
const EVENTS_EACH = 25;
const ABANDONED: SequenceRule = {
  sequence: [{ event: 'Basket Filled', where: [{ field: 'properties.price', operator: 'gte', value: 50 }] }],
  not: { event: 'Order Completed', within: '1d' },
  within: '30d',
};
const BOUGHT: SequenceRule = {
  sequence: [{ event: 'Product Added' }, { event: 'Order Completed', within: '1d' }],
  within: '30d',
};

const randomEvent = fc.record({
  person: fc.integer({ min: 0, max: PEOPLE - 1 }),
  id: fc.constantFrom('user', 'visitor', 'former'),
  event: fc.constantFrom('A', 'A', 'B', 'C'),
  n: fc.constantFrom(0, 1, 2),
  // A sequence is rare where everything is days apart.
  hoursAgo: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 240 })),
});

describe('segments on sequences of events', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
  });
  afterAll(() => service.close());

  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
  const track = (userId: string, event: string, msAgo = 0, price = 60): object => ({
    userId,
    event,
    properties: { price },
    timestamp: ago(msAgo),
  });
  const explain = async (id: string, userId: string): Promise<{ rules: Record<string, unknown>[] }> =>
    (await segments.api.get(`/segments/${id}/explain/${userId}`)).body;

  it('has who did one thing and then another in time, whatever comes first to the service', async () => {
    const id = await segments.createSegment([BOUGHT]);
    await segments.send([
      track('in-time', 'Order Completed', HOUR_MS),
      track('too-late', 'Product Added', 26 * HOUR_MS),
      track('too-late', 'Order Completed', HOUR_MS),
      track('turned-around', 'Product Added', HOUR_MS),
      track('turned-around', 'Order Completed', 2 * HOUR_MS),
    ]);
    expect(await segments.members(id)).toEqual([]);
    await segments.send([
      track('in-time', 'Product Added', 2 * HOUR_MS),
      track('too-late', 'Product Added', 3 * HOUR_MS),
    ]);
    expect(await segments.members(id)).toEqual(['in-time', 'too-late']);
    expect(await segments.preview([BOUGHT])).toEqual(['in-time', 'too-late']);
    expect(await explain(id, 'in-time')).toMatchObject({
      rules: [
        {
          verdict: true,
          seen: true,
          events: [
            { id: expect.any(String), steps: ['sequence[1]'] },
            { timestamp: expect.any(String), steps: ['sequence[0]'] },
          ],
        },
      ],
    });
    const { rules } = await explain(id, 'turned-around');
    expect(rules).toMatchObject([{ verdict: false, events: [{}, {}] }]);
    expect(rules[0]).not.toHaveProperty('seen');
  });

  it('has whose first event is in a range, wherever the others are', async () => {
    const [from, to] = [ago(10 * HOUR_MS), ago(5 * HOUR_MS)];
    const rule = { ...BOUGHT, within: undefined, from, to };
    const live = await segments.createSegment([rule]);
    const at = (userId: string, event: string, timestamp: string): object => ({
      ...track(userId, event),
      timestamp,
    });
    await segments.send([
      at('at-from', 'Product Added', from),
      at('at-from', 'Order Completed', ago(HOUR_MS)),
      at('at-to', 'Product Added', to),
      at('at-to', 'Order Completed', ago(HOUR_MS)),
      at('early', 'Product Added', ago(11 * HOUR_MS)),
      at('early', 'Order Completed', ago(6 * HOUR_MS)),
    ]);
    const computed = await segments.createSegment([rule]);
    for (const found of [await segments.members(live), await segments.members(computed)])
      expect(found.filter((userId) => /^(at|early)/.test(userId))).toEqual(['at-from']);
    expect(await segments.preview([rule])).toContain('at-from');
    expect(await explain(live, 'at-to')).toMatchObject({
      rules: [{ verdict: false, events: [{ steps: ['sequence[1]'] }] }],
    });
  });

  it('takes events of the same instant in the order in which they were accepted', async () => {
    const id = await segments.createSegment([
      { sequence: [{ event: 'Opened' }, { event: 'Closed', within: '1m' }], within: '1d' },
    ]);
    const at = { timestamp: ago(1_000) };
    await segments.send([
      { userId: 'together', event: 'Opened', ...at },
      { userId: 'together', event: 'Closed', ...at },
      { userId: 'backwards', event: 'Closed', ...at },
      { userId: 'backwards', event: 'Opened', ...at },
    ]);
    expect(await segments.members(id)).toEqual(['together']);
  });

  it('never takes one event for two steps', async () => {
    const twice = { sequence: [{ event: 'Login' }, { event: 'Login', within: '1d' }], within: '2d' };
    const once = { sequence: [{ event: 'Login' }], not: { event: 'Login', within: '1m' }, within: '2d' };
    const ids = [await segments.createSegment([twice]), await segments.createSegment([once])];
    await segments.send([track('one-login', 'Login', HOUR_MS)]);
    expect(await Promise.all(ids.map((id) => segments.members(id)))).toEqual([[], ['one-login']]);
    await segments.send([track('one-login', 'Login', HOUR_MS - 30_000)]);
    expect(await Promise.all(ids.map((id) => segments.members(id)))).toEqual([['one-login'], ['one-login']]);
  });

  it('has who did all of it in time, whatever comes first to the service and however often', async () => {
    const rule: SequenceRule = {
      sequence: [{ event: 'Signed Up' }, { event: 'Invited' }, { event: 'Upgraded' }],
      allWithin: '7d',
      within: '30d',
    };
    const live = await segments.createSegment([rule]);
    const [end, start] = [10 * DAY_MS, 17 * DAY_MS];
    const now = Date.now();
    const at = (userId: string, event: string, msAgo: number): object => ({
      messageId: `${userId} ${event} ${msAgo}`,
      userId,
      event,
      timestamp: new Date(now - msAgo).toISOString(),
    });
    const sent = [
      at('exactly', 'Upgraded', end),
      at('exactly', 'Invited', start - 1),
      at('exactly', 'Signed Up', start),
      at('a-moment-more', 'Upgraded', end - 1),
      at('a-moment-more', 'Invited', end),
      at('a-moment-more', 'Signed Up', start),
      // The first attempt took too long, and what it ended with ends another one as well.
      at('once-more', 'Signed Up', 25 * DAY_MS),
      at('once-more', 'Invited', 24 * DAY_MS),
      at('once-more', 'Signed Up', 14 * DAY_MS),
      at('once-more', 'Invited', 12 * DAY_MS),
      at('once-more', 'Upgraded', end),
      // Each of the steps has its event in time, and no one beginning is before all of them.
      at('between-attempts', 'Signed Up', 20 * DAY_MS),
      at('between-attempts', 'Invited', 15 * DAY_MS),
      at('between-attempts', 'Signed Up', 14 * DAY_MS),
      at('between-attempts', 'Upgraded', end),
    ];
    await segments.send(sent);
    await segments.send(sent.toReversed());
    const computed = await segments.createSegment([rule]);
    for (const found of [
      await segments.members(live),
      await segments.members(computed),
      await segments.preview([rule]),
    ])
      expect(found).toEqual(['exactly', 'once-more']);
    await segments.send([at('between-attempts', 'Invited', 13 * DAY_MS)]);
    expect(await segments.members(live)).toEqual(['between-attempts', 'exactly', 'once-more']);
  });

  it('gives what does not follow its own time, after all of it', async () => {
    const rule: SequenceRule = {
      sequence: [{ event: 'Tried' }, { event: 'Asked' }],
      allWithin: '2h',
      not: { event: 'Bought', within: '1d' },
      within: '30d',
    };
    const live = await segments.createSegment([rule]);
    await segments.send([
      track('asked', 'Tried', 27 * HOUR_MS),
      track('asked', 'Asked', 26 * HOUR_MS),
      track('asked-too-late', 'Tried', 29 * HOUR_MS),
      track('asked-too-late', 'Asked', 26 * HOUR_MS),
      track('bought', 'Tried', 27 * HOUR_MS),
      track('bought', 'Asked', 26 * HOUR_MS),
      track('bought', 'Bought', 3 * HOUR_MS),
      track('asked-just-now', 'Tried', DAY_MS + HOUR_MS),
      track('asked-just-now', 'Asked', DAY_MS - 4_000),
    ]);
    const computed = await segments.createSegment([rule]);
    expect(await segments.members(live)).toEqual(['asked']);
    for (const id of [live, computed])
      await eventually(async () => expect(await segments.members(id)).toEqual(['asked', 'asked-just-now']));
    expect(await segments.preview([rule])).toEqual(['asked', 'asked-just-now']);
  });

  it('lets people enter when what did not follow had its time, live and computed', async () => {
    const live = await segments.createSegment([ABANDONED]);
    const soon = DAY_MS - 4_000;
    await segments.send([
      track('left', 'Basket Filled', soon),
      track('cheap', 'Basket Filled', soon, 10),
      track('ordered', 'Basket Filled', soon),
      track('ordered', 'Order Completed', soon - 1_000),
    ]);
    const computed = await segments.createSegment([ABANDONED]);
    expect(await segments.members(live)).toEqual([]);
    await eventually(async () => expect(await segments.members(live)).toEqual(['left']));
    await eventually(async () => expect(await segments.members(computed)).toEqual(['left']));
    expect(await segments.preview([ABANDONED])).toEqual(['left']);
    // It followed in time after all, and was only sent late.
    await segments.send([track('left', 'Order Completed', HOUR_MS)]);
    expect(await segments.members(live)).toEqual([]);
  });

  it('lets people leave when the first event has left the window', async () => {
    const id = await segments.createSegment([BOUGHT]);
    await segments.send([track('window', 'Product Added', HOUR_MS), track('window', 'Order Completed')]);
    expect(await segments.members(id)).toContain('window');
    await segments.database.query(
      `update event set "timestamp" = "timestamp" - interval '31 days' where subject = 'u:window'`,
    );
    await segments.database.query(
      `update segment_member set due_at = due_at - interval '31 days' where subject = 'u:window' and member`,
    );
    await eventually(async () => expect(await segments.members(id)).not.toContain('window'));
  });

  it('forgets what was erased', async () => {
    const id = await segments.createSegment([BOUGHT]);
    await segments.send([track('erased', 'Product Added', HOUR_MS)]);
    expect(await segments.api.delete('/profiles/erased')).toMatchObject({ status: 200 });
    await segments.send([track('erased', 'Order Completed')]);
    expect(await segments.members(id)).not.toContain('erased');
  });

  it('finds sequences among the 20,000 newest events', async () => {
    const rule: SequenceRule = {
      sequence: [{ event: 'Tick' }, { event: 'Tick', within: '20d' }, { event: 'Tick', within: '20d' }],
      not: { event: 'Never', within: '1d' },
      within: '30d',
    };
    const id = await segments.createSegment([rule]);
    await segments.send([track('busy', 'Tick', 9 * DAY_MS)]);
    await segments.database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select subject, "timestamp" + n * interval '1 second', overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid,
         source_id, type, name, payload
       from event, generate_series(1, 20000) as n where subject = 'u:busy'`,
    );
    await segments.send([track('busy', 'Tick', 8 * DAY_MS)]);
    expect(await segments.members(id)).toEqual(['busy']);
  });

  it('count as two different values of events for each step', async () => {
    const ruleOf = (n: number): SequenceRule => ({
      sequence: Array.from({ length: 5 }, () => ({
        event: 'Limited',
        where: [{ field: 'properties.n', operator: 'eq', value: n }],
      })),
      within: '30d',
    });
    const ids: string[] = [];
    let answer = { status: 201, body: { id: '', code: '' } };
    for (let at = 0; answer.status === 201 && at < 25; at += 1) {
      answer = await segments.api.post('/segments', { name: `Limited ${at}`, rules: [ruleOf(at)] });
      if (answer.status === 201) ids.push(answer.body.id);
    }
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_measures' } });
    // Those of the tests before count as well.
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.length).toBeLessThan(20);
    expect(await segments.createSegment([ruleOf(0)])).toEqual(expect.any(String));
    await Promise.all(ids.map((id) => segments.api.delete(`/segments/${id}`)));
  });

  it.each<[object, string]>([
    [{ sequence: 'A' }, 'rules[0].sequence invalid_sequence'],
    [{ sequence: [] }, 'rules[0].sequence invalid_sequence'],
    [{ sequence: [{ event: 'A' }] }, 'rules[0].sequence invalid_sequence'],
    [{ sequence: Array.from({ length: 6 }, () => ({ event: 'A' })) }, 'rules[0].sequence invalid_sequence'],
    [{ sequence: [{ event: 'A' }, 'B'] }, 'rules[0].sequence[1] invalid_step'],
    [{ sequence: [{ event: 'A' }, {}] }, 'rules[0].sequence[1].event invalid_event'],
    [{ sequence: [{ event: 'A' }, { event: 'B', type: 'x' }] }, 'rules[0].sequence[1].type invalid_type'],
    [{ sequence: [{ event: 'A' }, { event: 'B', where: [] }] }, 'rules[0].sequence[1].where invalid_where'],
    [
      { sequence: [{ event: 'A' }, { event: 'B', within: '1w' }] },
      'rules[0].sequence[1].within invalid_within',
    ],
    [{ sequence: [{ event: 'A' }, { event: 'B', of: 'x' }] }, 'rules[0].sequence[1].of unknown_member'],
    [
      { sequence: [{ event: 'A', within: '1d' }, { event: 'B' }] },
      'rules[0].sequence[0].within not_applicable',
    ],
    [{ allWithin: '1w' }, 'rules[0].allWithin invalid_within'],
    [{ allWithin: '0d' }, 'rules[0].allWithin invalid_within'],
    [{ allWithin: 7 }, 'rules[0].allWithin invalid_within'],
    [{ allWithin: null }, 'rules[0].allWithin invalid_within'],
    [{ allWithin: '3651d' }, 'rules[0].allWithin invalid_within'],
    [
      { sequence: [{ event: 'A' }], allWithin: '7d', not: { event: 'C', within: '1d' } },
      'rules[0].allWithin not_applicable',
    ],
    [{ not: { event: 'C' } }, 'rules[0].not.within missing_within'],
    [{ not: true }, 'rules[0].not invalid_step'],
    [{ within: undefined }, 'rules[0].within missing_within'],
    [{ within: '2w' }, 'rules[0].within invalid_within'],
    [{ within: '365d' }, 'rules[0].within window_beyond_retention'],
    [{ not: { event: 'C', within: '31d' } }, 'rules[0].not.within sequence_never_holds'],
    [{ from: '2026-11-01' }, 'rules[0].within not_applicable'],
    [{ within: undefined, from: '2026-11-01', to: '2026-10-01' }, 'rules[0].to empty_range'],
    [{ operator: 'exists' }, 'rules[0].operator unknown_member'],
  ])('refuses %j', async (change, problem) => {
    const { status, body } = await segments.api.post('/segments/preview', {
      rules: [{ sequence: [{ event: 'A' }, { event: 'B' }], within: '30d', ...change }],
    });
    const found = (body.errors ?? []).map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
    expect({ status, found }).toEqual({ status: 400, found: [problem] });
  });

  it('has who looking at the stored events afresh would give, live, computed and previewed', async () => {
    const seed = Number(process.env.CDP_TEST_SEED ?? Date.now() % 1_000_000);
    const rules = fc.sample(randomSequence, { numRuns: 40, seed });
    await segments.deleteAll();
    const before = await Promise.all(rules.slice(0, 20).map((rule) => segments.createSegment([rule])));
    const sent = fc.sample(randomEvent, { numRuns: PEOPLE * EVENTS_EACH, seed }).map(toSent);
    const links = Array.from({ length: PEOPLE }, (_, person) => [
      { type: 'identify', userId: `p-${person}`, anonymousId: `visitor-${person}` },
      { type: 'alias', userId: `p-${person}`, previousId: `former-${person}` },
    ]).flat();
    const everything: object[] = [
      ...sent.map(({ person: _person, ids, ...event }) => ({ ...event, ...ids })),
      ...links,
    ];
    const shuffled =
      fc.sample(fc.shuffledSubarray(everything, { minLength: everything.length }), { numRuns: 1, seed })[0] ??
      [];
    for (let from = 0; from < shuffled.length; from += 30) {
      // Those before come once more.
      await segments.send(shuffled.slice(Math.max(0, from - 10), from + 30));
    }
    const ours = (found: string[]): string[] => found.filter((userId) => userId.startsWith('p-')).toSorted();
    let held = 0;
    const check = async (rule: SequenceRule, id: string): Promise<void> => {
      const expected = (): string[] =>
        Array.from({ length: PEOPLE }, (_, person) => person)
          .filter((person) =>
            sequenceHolds(
              rule,
              sent.filter((event) => event.person === person),
              Date.now(),
            ),
          )
          .map((person) => `p-${person}`)
          .toSorted();
      await eventually(async () =>
        expect({ seed, rule, members: ours(await segments.members(id)) }).toEqual({
          seed,
          rule,
          members: expected(),
        }),
      );
      await eventually(async () =>
        expect({ seed, rule, sample: ours(await segments.preview([rule])) }).toEqual({
          seed,
          rule,
          sample: expected(),
        }),
      );
      held += expected().length;
    };
    for (const [at, id] of before.entries()) await check(rules[at] as SequenceRule, id);
    // All of them together are more than a service may have.
    await segments.deleteAll();
    for (const rule of rules.slice(before.length)) await check(rule, await segments.createSegment([rule]));
    // The property would say nothing if hardly anything, or nearly everything, held.
    expect(held / (rules.length * PEOPLE)).toBeGreaterThan(0.05);
    expect(held / (rules.length * PEOPLE)).toBeLessThan(0.9);
  }, 600_000);

  function toSent({
    person,
    id,
    event,
    n,
    hoursAgo,
  }: typeof randomEvent extends fc.Arbitrary<infer T> ? T : never): SentEvent & {
    readonly person: number;
    readonly ids: object;
    readonly messageId: string;
  } {
    const idsOf = {
      user: { userId: `p-${person}` },
      visitor: { anonymousId: `visitor-${person}` },
      former: { userId: `former-${person}` },
    };
    const place = segments.next();
    return {
      person,
      ids: idsOf[id],
      event,
      messageId: `h-${place}`,
      // No two at the same time.
      timestamp: ago(hoursAgo * HOUR_MS + place * 1_000),
      properties: { n },
    };
  }
});
