import * as fc from 'fast-check';
import type { Rule } from '../../src/segments/rules/rule';

const DAY_MS = 86_400_000;

/** When the events of a rule are: in the last days or hours, or in a range with ends in the last so many days. */
export function randomWindow(days: number): fc.Arbitrary<Pick<Rule, 'within' | 'from' | 'to'>> {
  const within = fc.record({ within: fc.constantFrom('1d', '5d', '9d', '300d', '1h', '30h', '200h') });
  const end = fc
    .tuple(fc.integer({ min: -1, max: days }), fc.integer({ min: 0, max: DAY_MS - 1 }), fc.boolean())
    .map(([daysAgo, ms, isDate]) => {
      const text = new Date(Date.now() - daysAgo * DAY_MS - ms).toISOString();
      return isDate ? text.slice(0, 10) : text;
    });
  const range = fc.oneof(
    end.map((from) => ({ from })),
    end.map((to) => ({ to })),
    fc
      .tuple(end, end)
      .filter(([one, other]) => Date.parse(one) !== Date.parse(other))
      .map((ends) => ends.toSorted((one, other) => Date.parse(one) - Date.parse(other)))
      .map(([from = '', to = '']) => ({ from, to })),
  );
  return fc.oneof({ weight: 3, arbitrary: within }, { weight: 2, arbitrary: range });
}
