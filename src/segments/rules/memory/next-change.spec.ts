import * as fc from 'fast-check';
import { boundRanges } from '../parsing/bound-ranges';
import { compilePredicate } from './compile-predicate';
import type { MeasuredStep } from '../measure';
import { compileNextChange } from './next-change';
import { parseRules } from '../parsing/parse-rules';
import { type Predicate, measuresOf, sequencesOf, stepsKey } from '../predicate';
import { DAY_MS } from '../../../events/partitions/partition-plan';
import type { SegmentFacts } from './read-field';
import { sequenceKey, type Span } from '../sequence';
import { UNIT_SECONDS, type WindowUnit } from '../window';
import type { Match } from '../../../language/operators';

const NOW_MS = Date.UTC(2026, 10, 20, 16, 30);
const WITHIN = 9;
const TRACKED = [{ field: 'type', operator: 'eq', value: 'track' }];

describe('when a measure changes a verdict', () => {
  it('is the first day or hour in which another one follows, if there is one', () => {
    const numbers = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -3, max: 3 })), {
      maxLength: 6,
    });
    const operators = fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte');
    const aggregates = fc.constantFrom('count', 'sum', 'min', 'max', 'avg', 'first', 'last', 'most_frequent');
    fc.assert(
      fc.property(
        numbers,
        operators,
        aggregates,
        fc.integer({ min: -3, max: 3 }),
        fc.constantFrom<WindowUnit>('day', 'hour'),
        fc.boolean(),
        (events, operator, aggregate, value, unitOfWindow, isRange) => {
          const unit = isRange ? 'day' : unitOfWindow;
          const stepMs = UNIT_SECONDS[unit] * 1_000;
          const now = Math.floor(NOW_MS / stepMs);
          const within = `${WITHIN}${unit === 'day' ? 'd' : 'h'}`;
          const when = isRange ? { from: '2026-01-01' } : { within };
          // A range looks as far back as events are kept.
          const predicate = boundRanges(predicateOf({ operator, aggregate, value, ...when }), WITHIN + 1);
          const facts = factsAt(NOW_MS, predicate, measured(aggregate, events, now));
          const test = compilePredicate(predicate);
          const later = Array.from({ length: WITHIN + 2 }, (_, steps) => (now + steps + 1) * stepMs);
          const expected = later.find((nowMs) => test({ ...facts, nowMs }) !== test(facts)) ?? null;
          expect(compileNextChange(predicate)?.(facts)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function predicateOf(rule: {
  operator: string;
  aggregate: string;
  value: number;
  within?: string;
  from?: string;
}): Predicate {
  const of = rule.aggregate === 'count' ? {} : { of: 'properties.total' };
  const parsed = parseRules([{ event: 'Order', where: TRACKED, ...rule, ...of }]);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.predicate;
}

/** What the steps come to, of numbers so many steps ago: each step with all later ones, said plainly. */
function measured(aggregate: string, events: readonly [number, number][], now: number): MeasuredStep[] {
  const steps = [...new Set(events.map(([ago]) => ago))].sort((left, right) => right - left);
  return steps.map((stepsAgo) => {
    const numbers = events.filter(([ago]) => ago <= stepsAgo).map(([, number]) => number);
    const oldestFirst = events
      .filter(([ago]) => ago <= stepsAgo)
      .sort(([left], [right]) => right - left)
      .map(([, number]) => number);
    const countOf = (number: number): number => numbers.filter((each) => each === number).length;
    const mostOften = Math.max(...numbers.map(countOf));
    const sum = numbers.reduce((total, number) => total + number, 0);
    const values = {
      count: numbers.length,
      sum,
      min: Math.min(...numbers),
      max: Math.max(...numbers),
      avg: sum / numbers.length,
      first: oldestFirst[0] ?? null,
      last: oldestFirst.at(-1) ?? null,
      most_frequent: oldestFirst.findLast((each) => countOf(each) === mostOften) ?? null,
    };
    return { step: now - stepsAgo, value: values[aggregate as keyof typeof values] };
  });
}

describe('when several conditions change a verdict', () => {
  const names = ['A', 'B', 'C'];
  const condition = fc.record({
    event: fc.constantFrom(...names),
    operator: fc.constantFrom('gte', 'lt', 'eq'),
    value: fc.integer({ min: 0, max: 3 }),
    within: fc.constantFrom('2d', '5d', '9d'),
    where: fc.constant(TRACKED),
  });
  const { tree } = fc.letrec<{ tree: object; group: object }>((tie) => ({
    tree: fc.oneof({ maxDepth: 2 }, condition, tie('group')),
    group: fc.record({
      match: fc.constantFrom('all', 'any'),
      not: fc.boolean(),
      rules: fc.array(tie('tree'), { minLength: 1, maxLength: 2 }),
    }),
  }));
  const eventsAgo = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 9 })), {
    maxLength: 8,
  });

  it('is never later than they do', () => {
    let changes = 0;
    let never = 0;
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 2 }),
        fc.constantFrom<Match>('all', 'any'),
        eventsAgo,
        (rules, match, events) => {
          const parsed = parseRules(rules, match);
          if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
          const { predicate } = parsed;
          const today = Math.floor(NOW_MS / DAY_MS);
          const measures = measuresOf(predicate).map((field): [string, MeasuredStep[]] => {
            const ofName = events.filter(([name]) => name === field.measure.event);
            return [
              stepsKey(field),
              measured(
                'count',
                ofName.map(([, ago]) => [ago, 1]),
                today,
              ),
            ];
          });
          const facts = { ...factsAt(NOW_MS, predicate, []), measures: new Map(measures) };
          const test = compilePredicate(predicate);
          const next = compileNextChange(predicate)?.(facts) ?? Infinity;
          const days = Array.from({ length: 12 }, (_, later) => (today + later + 1) * DAY_MS);
          const change = days.find((nowMs) => test({ ...facts, nowMs }) !== test(facts)) ?? Infinity;
          expect(next).toBeLessThanOrEqual(change);
          if (change !== Infinity) changes += 1;
          if (next === Infinity) never += 1;
        },
      ),
      { numRuns: 3_000 },
    );
    expect(Math.min(changes, never)).toBeGreaterThan(300);
  });

  it('is left open by a condition that is false and stays so', () => {
    const ordered = { event: 'A', where: TRACKED, operator: 'gte', value: 1, within: '5d' };
    const neverPaid = { event: 'B', where: TRACKED, operator: 'gte', value: 1, within: '5d' };
    const parsed = parseRules([ordered, neverPaid]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const [ofOrders, ofPayments] = measuresOf(parsed.predicate).map(stepsKey);
    const day = Math.floor(NOW_MS / DAY_MS);
    const changeAfter = (orders: MeasuredStep[], payments: MeasuredStep[]): number | null | undefined =>
      compileNextChange(parsed.predicate)?.({
        ...factsAt(NOW_MS, parsed.predicate, []),
        measures: new Map([
          [String(ofOrders), orders],
          [String(ofPayments), payments],
        ]),
      });
    const once = [{ step: day - 1, value: 1 }];
    expect(changeAfter(once, [])).toBeNull();
    expect(changeAfter(once, once)).toBe((day + 5) * DAY_MS);
  });
});

describe('when a sequence changes a verdict', () => {
  it('is when the span under way ends, or the next one begins', () => {
    const parsed = parseRules([{ sequence: [{ event: 'A' }, { event: 'B' }], within: '9d' }]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const { predicate } = parsed;
    const key = sequenceKey(sequencesOf(predicate)[0] ?? never());
    const test = compilePredicate(predicate);
    const nextChange = compileNextChange(predicate) ?? never();
    const borders = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 6 });
    fc.assert(
      fc.property(borders, fc.boolean(), (given, isSinceEver) => {
        const sorted = given.toSorted((left, right) => left - right);
        const spans: Span[] = [];
        for (let at = 0; at + 1 < sorted.length; at += 2) {
          const fromMs = at === 0 && isSinceEver ? -Infinity : Number(sorted[at]);
          spans.push({ fromMs, toMs: Number(sorted[at + 1]) });
        }
        const factsOf = (nowMs: number): SegmentFacts => ({
          ...factsAt(nowMs, predicate, []),
          sequences: new Map([[key, spans]]),
        });
        for (let ms = 0; ms <= 31; ms += 1) {
          const verdict = test(factsOf(ms));
          expect(verdict).toBe(spans.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs));
          const later = Array.from({ length: 32 - ms }, (_, after) => ms + 1 + after);
          const change = later.find((then) => test(factsOf(then)) !== verdict) ?? null;
          expect(nextChange(factsOf(ms))).toBe(change);
        }
      }),
    );
  });
});

function never(): never {
  throw new Error('There is none.');
}

function factsAt(nowMs: number, predicate: Predicate, steps: readonly MeasuredStep[]): SegmentFacts {
  const profile = {
    subject: 'u:a',
    traits: {},
    groups: [],
    eventCount: 1,
    eventTotals: {},
    firstSeenAt: '',
    lastSeenAt: '',
  } as const;
  const measures = new Map(measuresOf(predicate).map((field) => [stepsKey(field), steps]));
  return {
    profile,
    dayCounts: [],
    measures,
    sequences: new Map(),
    segments: new Set(),
    groupTraits: [],
    nowMs,
  };
}
