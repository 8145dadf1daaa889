import { parseRules } from '../rules/parsing/parse-rules';
import { rangeWarnings } from './range-warnings';

const NOW_MS = Date.UTC(2026, 10, 20, 16, 30);

describe('a warning of a range', () => {
  it.each<[object, boolean]>([
    [{ from: '2026-10-22' }, false],
    [{ from: '2026-10-21T23:59:59Z' }, true],
    [{ from: '2027-01-01' }, false],
    // It is open towards the past, as everybody knows.
    [{ to: '2026-11-01' }, false],
    [{ to: '2026-10-01' }, true],
    [{ within: '300d' }, false],
  ])('is given of %j, of events that are kept for 30 days: %s', (when, isGiven) => {
    const rule = { event: 'A', aggregate: 'sum', of: 'properties.total', ...when, operator: 'gt', value: 1 };
    const sequence = { sequence: [{ event: 'A' }, { event: 'B' }], ...when };
    const parsed = parseRules([rule, { rules: [sequence] }]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const warnings = rangeWarnings(parsed.predicate, 30, NOW_MS);
    expect(warnings.map(({ path }) => path)).toEqual(isGiven ? ['rules[0]', 'rules[1].rules[0]'] : []);
    for (const { message } of warnings) expect(message).toContain('since 2026-10-22');
  });
});
