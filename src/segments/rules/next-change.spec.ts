import * as fc from 'fast-check';
import { compilePredicate } from './compile-predicate';
import { type MeasuredDay, measureKey } from './measure';
import { compileNextChange } from './next-change';
import { parseRules } from './parse-rules';
import { type Predicate, measuresOf } from './predicate';
import { DAY_MS, type SegmentFacts } from './read-field';

const NOW_MS = Date.UTC(2026, 10, 20, 16, 30);
const TODAY = Math.floor(NOW_MS / DAY_MS);
const WITHIN_DAYS = 9;

describe('when a measure changes a verdict', () => {
  it('is the first day on which another one follows, if there is one', () => {
    const numbers = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -3, max: 3 })), {
      maxLength: 6,
    });
    const operators = fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte');
    const aggregates = fc.constantFrom('count', 'sum', 'min', 'max', 'avg', 'first', 'last');
    fc.assert(
      fc.property(
        numbers,
        operators,
        aggregates,
        fc.integer({ min: -3, max: 3 }),
        (events, operator, aggregate, value) => {
          const predicate = predicateOf({ operator, aggregate, value });
          const facts = factsAt(NOW_MS, predicate, measured(aggregate, events));
          const test = compilePredicate(predicate);
          const later = Array.from({ length: WITHIN_DAYS + 2 }, (_, days) => (TODAY + days + 1) * DAY_MS);
          const expected = later.find((nowMs) => test({ ...facts, nowMs }) !== test(facts)) ?? null;
          expect(compileNextChange(predicate)?.(facts)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function predicateOf(rule: { operator: string; aggregate: string; value: number }): Predicate {
  const of = rule.aggregate === 'count' ? {} : { of: 'properties.total' };
  const where = [{ field: 'type', operator: 'eq', value: 'track' }];
  const parsed = parseRules([{ event: 'Order', within: `${WITHIN_DAYS}d`, where, ...rule, ...of }]);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.predicate;
}

/** What the days come to, of numbers so many days ago: each day with all later ones, said plainly. */
function measured(aggregate: string, events: readonly [number, number][]): MeasuredDay[] {
  const days = [...new Set(events.map(([daysAgo]) => daysAgo))].sort((left, right) => right - left);
  return days.map((daysAgo) => {
    const numbers = events.filter(([ago]) => ago <= daysAgo).map(([, number]) => number);
    const oldestFirst = events
      .filter(([ago]) => ago <= daysAgo)
      .sort(([left], [right]) => right - left)
      .map(([, number]) => number);
    const sum = numbers.reduce((total, number) => total + number, 0);
    const values = {
      count: numbers.length,
      sum,
      min: Math.min(...numbers),
      max: Math.max(...numbers),
      avg: sum / numbers.length,
      first: oldestFirst[0] ?? null,
      last: oldestFirst.at(-1) ?? null,
    };
    return { day: TODAY - daysAgo, value: values[aggregate as keyof typeof values] };
  });
}

function factsAt(nowMs: number, predicate: Predicate, days: readonly MeasuredDay[]): SegmentFacts {
  const profile = {
    subject: 'u:a',
    traits: {},
    groups: [],
    eventCount: 1,
    eventTotals: {},
    firstSeenAt: '',
    lastSeenAt: '',
  } as const;
  const measures = new Map(measuresOf(predicate).map(({ measure }) => [measureKey(measure), days]));
  return { profile, dayCounts: [], measures, segments: new Set(), groupTraits: [], nowMs };
}
