import * as fc from 'fast-check';
import type { SequenceRule } from '../../src/segments/rules/rule';
import { checkProgress, type Progress } from '../support/check-progress';
import { eventually } from '../support/eventually';
import type { SentEvent } from '../support/measure-oracle';
import { randomSequence } from '../support/random-sequences';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An event of somebody: its name, and how long ago it was. */
type Sent = readonly [event: string, msAgo: number];

const randomEvent = fc.record({
  event: fc.constantFrom('A', 'A', 'B', 'C'),
  n: fc.constantFrom(0, 1, 2),
  // A sequence is rare where everything is days apart.
  hoursAgo: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 240 })),
});
type Sampled = typeof randomEvent extends fc.Arbitrary<infer One> ? One : never;

describe('how far somebody came along a sequence', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;
  // Times stand still: hours ago are the same in what is sent and in what is expected.
  const now = Date.now();
  const ago = (ms: number): string => new Date(now - ms).toISOString();

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
  });
  afterAll(() => service.close());

  const explain = async (
    rule: SequenceRule,
    userId: string,
  ): Promise<{ verdict: boolean; progress: Progress }> => {
    const id = await segments.createSegment([rule]);
    const { body } = await segments.api.get(`/segments/${id}/explain/${userId}`);
    await segments.api.delete(`/segments/${id}`);
    return body.rules[0];
  };
  const send = async (sent: readonly Sent[]): Promise<string> => {
    const userId = `p-${segments.next()}`;
    await segments.send(sent.map(([event, msAgo]) => ({ userId, event, timestamp: ago(msAgo) })));
    return userId;
  };
  /** Of somebody with these events: the steps with how long ago they were, and the stop. */
  const progressOf = async (rule: SequenceRule, sent: readonly Sent[]): Promise<unknown> => {
    const { verdict, progress } = await explain(rule, await send(sent));
    const steps = progress.events.map(({ step, timestamp }) => [step, now - Date.parse(timestamp)]);
    expect(verdict).toBe(progress.stop === undefined);
    return { steps, stop: progress.stop };
  };
  const first = (msAgo: number): [string, number] => ['sequence[0]', msAgo];
  const second = (msAgo: number): [string, number] => ['sequence[1]', msAgo];
  const eventOf = (msAgo: number): object => ({ id: expect.any(String), timestamp: ago(msAgo) });
  /** When an event leaves a window of so many days, or hours. */
  const leaves = (msAgo: number, count: number, unitMs: number): string =>
    new Date((Math.floor((now - msAgo) / unitMs) + count + 1) * unitMs).toISOString();

  const AB: SequenceRule = { sequence: [{ event: 'A' }, { event: 'B' }], within: '30d' };
  const AB_IN_2H: SequenceRule = { sequence: [{ event: 'A' }, { event: 'B', within: '2h' }], within: '30d' };
  const ABC_IN_7D: SequenceRule = {
    sequence: [{ event: 'A' }, { event: 'B' }, { event: 'C', within: '5d' }],
    allWithin: '7d',
    within: '30d',
  };
  const A_NOT_C: SequenceRule = {
    sequence: [{ event: 'A' }],
    not: { event: 'C', within: '1d' },
    within: '30d',
  };

  it('is all of it where the rule holds, by events that can be looked up', async () => {
    const userId = await send([
      ['A', 9 * HOUR_MS],
      ['A', 8 * HOUR_MS],
      ['B', 7 * HOUR_MS],
      ['A', HOUR_MS],
    ]);
    const { verdict, progress } = await explain(AB, userId);
    expect({ verdict, progress }).toEqual({
      verdict: true,
      progress: {
        events: [
          { step: 'sequence[0]', ...eventOf(8 * HOUR_MS) },
          { step: 'sequence[1]', ...eventOf(7 * HOUR_MS) },
        ],
      },
    });
    const found = await segments.api.get(`/events/${progress.events[1]?.id}`);
    expect(found.body).toMatchObject({ name: 'B', timestamp: ago(7 * HOUR_MS) });
  });

  it.each<[string, SequenceRule, Sent[], object]>([
    [
      'the first step never came',
      AB,
      [['B', HOUR_MS]],
      { steps: [], stop: { reason: 'never_came', step: 'sequence[0]' } },
    ],
    [
      'the next step never came in its time',
      AB_IN_2H,
      [['A', 5 * HOUR_MS]],
      {
        steps: [first(5 * HOUR_MS)],
        stop: {
          reason: 'never_came',
          step: 'sequence[1]',
          limit: ago(3 * HOUR_MS),
          limitedBy: 'sequence[1].within',
        },
      },
    ],
    [
      'the next step came too late',
      AB_IN_2H,
      [
        ['A', 5 * HOUR_MS],
        ['B', 2 * HOUR_MS],
        ['B', HOUR_MS],
      ],
      {
        steps: [first(5 * HOUR_MS)],
        stop: {
          reason: 'too_late',
          step: 'sequence[1]',
          limit: ago(3 * HOUR_MS),
          limitedBy: 'sequence[1].within',
          event: eventOf(2 * HOUR_MS),
        },
      },
    ],
    [
      'the last step came in its own time, and too late for all of them',
      ABC_IN_7D,
      [
        ['A', 10 * DAY_MS],
        ['B', 5 * DAY_MS],
        ['C', 2 * DAY_MS],
      ],
      {
        steps: [first(10 * DAY_MS), second(5 * DAY_MS)],
        stop: {
          reason: 'too_late',
          step: 'sequence[2]',
          limit: ago(3 * DAY_MS),
          limitedBy: 'allWithin',
          event: eventOf(2 * DAY_MS),
        },
      },
    ],
    [
      'a step came too late for all of them, and the next one after it',
      ABC_IN_7D,
      [
        ['A', 10 * DAY_MS],
        ['B', 2 * DAY_MS],
        ['C', DAY_MS],
      ],
      {
        steps: [first(10 * DAY_MS)],
        stop: {
          reason: 'too_late',
          step: 'sequence[1]',
          limit: ago(3 * DAY_MS),
          limitedBy: 'allWithin',
          event: eventOf(2 * DAY_MS),
        },
      },
    ],
    [
      'the time of the next step is not over',
      AB_IN_2H,
      [['A', HOUR_MS]],
      {
        steps: [first(HOUR_MS)],
        stop: {
          reason: 'waiting',
          step: 'sequence[1]',
          limit: ago(-HOUR_MS),
          limitedBy: 'sequence[1].within',
        },
      },
    ],
    [
      'the time of all steps is not over',
      ABC_IN_7D,
      [
        ['A', 5 * DAY_MS],
        ['B', DAY_MS],
      ],
      {
        steps: [first(5 * DAY_MS), second(DAY_MS)],
        stop: { reason: 'waiting', step: 'sequence[2]', limit: ago(-2 * DAY_MS), limitedBy: 'allWithin' },
      },
    ],
    [
      'the next step may come as long as the first one is in the window',
      AB,
      [['A', 2 * DAY_MS]],
      {
        steps: [first(2 * DAY_MS)],
        stop: {
          reason: 'waiting',
          step: 'sequence[1]',
          limit: leaves(2 * DAY_MS, 30, DAY_MS),
          limitedBy: 'within',
        },
      },
    ],
    [
      'of a range, as long as the first one is stored for sure',
      { ...AB, within: undefined, from: ago(3 * DAY_MS) },
      [['A', 2 * DAY_MS]],
      {
        steps: [first(2 * DAY_MS)],
        stop: { reason: 'waiting', step: 'sequence[1]', limit: leaves(2 * DAY_MS, 364, DAY_MS) },
      },
    ],
    [
      'what must not come still has time to',
      A_NOT_C,
      [['A', 23 * HOUR_MS]],
      {
        steps: [first(23 * HOUR_MS)],
        stop: { reason: 'waiting', step: 'not', limit: ago(-HOUR_MS), limitedBy: 'not.within' },
      },
    ],
    [
      'what must not come came in time',
      A_NOT_C,
      [
        ['A', 3 * DAY_MS],
        ['C', 2 * DAY_MS + HOUR_MS],
        ['C', HOUR_MS],
      ],
      {
        steps: [first(3 * DAY_MS)],
        stop: {
          reason: 'followed',
          step: 'not',
          limit: ago(2 * DAY_MS),
          limitedBy: 'not.within',
          event: eventOf(2 * DAY_MS + HOUR_MS),
        },
      },
    ],
    [
      'the first event leaves the window before the time of `not` is over',
      { sequence: [{ event: 'A' }, { event: 'B' }], not: { event: 'C', within: '12h' }, within: '12h' },
      [
        ['A', 5 * HOUR_MS],
        ['B', HOUR_MS],
      ],
      {
        steps: [first(5 * HOUR_MS), second(HOUR_MS)],
        stop: {
          reason: 'window_ends_first',
          step: 'not',
          limit: leaves(5 * HOUR_MS, 12, HOUR_MS),
          limitedBy: 'within',
        },
      },
    ],
    [
      'the first step is before the window, with whatever came after it',
      { ...AB_IN_2H, within: '5d' },
      [
        ['A', 9 * DAY_MS],
        ['B', 9 * DAY_MS - HOUR_MS],
        ['B', HOUR_MS],
      ],
      {
        steps: [first(9 * DAY_MS), second(9 * DAY_MS - HOUR_MS)],
        stop: {
          reason: 'before_window',
          step: 'sequence[0]',
          limit: new Date((Math.floor(now / DAY_MS) - 5) * DAY_MS).toISOString(),
          limitedBy: 'within',
        },
      },
    ],
    [
      'the first step is before the range',
      { ...AB, within: undefined, from: ago(3 * HOUR_MS), to: ago(HOUR_MS) },
      [
        ['A', 4 * HOUR_MS],
        ['B', 2 * HOUR_MS],
      ],
      {
        steps: [first(4 * HOUR_MS), second(2 * HOUR_MS)],
        stop: { reason: 'before_window', step: 'sequence[0]', limit: ago(3 * HOUR_MS), limitedBy: 'from' },
      },
    ],
    [
      'the first step is after the range',
      { ...AB, within: undefined, to: ago(3 * HOUR_MS) },
      [['A', 3 * HOUR_MS]],
      {
        steps: [first(3 * HOUR_MS)],
        stop: { reason: 'after_window', step: 'sequence[0]', limit: ago(3 * HOUR_MS), limitedBy: 'to' },
      },
    ],
  ])('stops where %s', async (_, rule, sent, progress) => {
    expect(await progressOf(rule, sent)).toEqual(progress);
  });

  it('is of the way that went furthest, and of several the newest', async () => {
    const rule = { sequence: [{ event: 'A' }, { event: 'B' }, { event: 'C', within: '1h' }], within: '30d' };
    const further: Sent[] = [
      ['A', 9 * HOUR_MS],
      ['B', 8 * HOUR_MS],
      ['A', HOUR_MS],
    ];
    expect(await progressOf(rule, further)).toMatchObject({
      steps: [first(9 * HOUR_MS), second(8 * HOUR_MS)],
    });
    const newer: Sent[] = [...further, ['B', HOUR_MS / 2]];
    expect(await progressOf(rule, newer)).toMatchObject({
      steps: [first(HOUR_MS), second(HOUR_MS / 2)],
      stop: { reason: 'waiting', step: 'sequence[2]' },
    });
  });

  it('is of the way that holds, where a newer one waits or was followed', async () => {
    const sent: Sent[] = [
      ['A', 3 * DAY_MS],
      ['A', HOUR_MS],
      ['C', HOUR_MS / 2],
    ];
    expect(await progressOf(A_NOT_C, sent)).toEqual({ steps: [first(3 * DAY_MS)], stop: undefined });
    const waiting: Sent[] = [
      ['A', 3 * DAY_MS],
      ['A', HOUR_MS],
    ];
    expect(await progressOf(A_NOT_C, waiting)).toEqual({ steps: [first(3 * DAY_MS)], stop: undefined });
  });

  it('is told of a rule in a group, and of no other rule', async () => {
    const userId = await send([['A', HOUR_MS]]);
    const id = await segments.createSegment([
      { not: true, rules: [AB] },
      { field: 'event_count', operator: 'gte', value: 1 },
    ]);
    const { body } = await segments.api.get(`/segments/${id}/explain/${userId}`);
    expect(body.rules[0].rules[0].progress).toMatchObject({ stop: { reason: 'waiting' } });
    expect(body.rules[1]).not.toHaveProperty('progress');
    expect(body.verdict).toBe(true);
  });

  it('has the events of all ids of a person, in their order', async () => {
    const userId = `p-${segments.next()}`;
    const anonymousId = `visitor-${userId}`;
    await segments.send([
      { userId, event: 'B', timestamp: ago(HOUR_MS) },
      { anonymousId, event: 'A', timestamp: ago(2 * HOUR_MS) },
      { type: 'identify', userId, anonymousId },
    ]);
    const { progress } = await explain(AB, userId);
    expect(progress).toEqual({
      events: [
        { step: 'sequence[0]', ...eventOf(2 * HOUR_MS) },
        { step: 'sequence[1]', ...eventOf(HOUR_MS) },
      ],
    });
  });

  it('is looked for among the 20,000 newest events', async () => {
    const userId = await send([
      ['A', 9 * DAY_MS],
      ['B', 8 * DAY_MS],
    ]);
    await segments.database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select subject, "timestamp" + n * interval '1 second', overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid,
         source_id, type, name, payload
       from event, generate_series(1, $2::integer) as n where subject = $1 and name = 'B'`,
      [`u:${userId}`, 19_998],
    );
    const newest = 8 * DAY_MS - 19_998_000;
    const { progress } = await explain(AB, userId);
    expect(progress.events.map(({ timestamp }) => timestamp)).toEqual([ago(9 * DAY_MS), ago(newest)]);
    await segments.send([{ userId, event: 'Other', timestamp: ago(0) }]);
    expect((await explain(AB, userId)).progress).toEqual({
      events: [],
      stop: { reason: 'never_came', step: 'sequence[0]' },
    });
  });

  it('is what trying every way says, whatever the events and the rule are', async () => {
    const seed = Number(process.env.CDP_TEST_SEED ?? Date.now() % 1_000_000);
    const rules = fc.sample(randomSequence, { numRuns: 40, seed });
    const people = fc
      .sample(fc.array(randomEvent, { minLength: 8, maxLength: 25 }), { numRuns: 10, seed })
      .map((events, person) => ({ userId: `q-${person}`, events: events.map(toSent) }));
    await segments.send(
      people.flatMap(({ userId, events }) => events.map((event) => ({ userId, ...event }))),
    );
    const reasons = new Set<string | undefined>();
    for (let from = 0; from < rules.length; from += 10) {
      const asked = rules.slice(from, from + 10);
      const id = await segments.createSegment(asked);
      for (const { userId, events } of people) {
        // Time goes on between the answer and its test.
        await eventually(async () => {
          const { body } = await segments.api.get(`/segments/${id}/explain/${userId}`);
          for (const [at, rule] of asked.entries()) {
            const { verdict, progress } = body.rules[at];
            expect({ seed, rule, progress, verdict }).toMatchObject({ verdict: progress.stop === undefined });
            checkProgress(progress, { rule, events, nowMs: Date.now() });
            reasons.add(progress.stop?.reason);
          }
        });
      }
      // All of them together are more than a service may have.
      await segments.api.delete(`/segments/${id}`);
    }
    // The property would say little if they all stopped for the same reason, or never.
    expect(reasons.size).toBeGreaterThan(4);
  }, 120_000);

  function toSent({ event, n, hoursAgo }: Sampled): SentEvent {
    // No two at the same time.
    return { event, timestamp: ago(hoursAgo * HOUR_MS + segments.next() * 1_000), properties: { n } };
  }
});
