import { boundRanges } from './bound-ranges';
import { parseRules } from './parse-rules';
import { measuresOf, type Predicate, sequencesOf } from '../predicate';

const RANGE = { from: '2026-11-01', to: '2026-12-01' };

describe('ranges of time', () => {
  it.each([
    [1, 0],
    [30, 29],
    [365, 364],
    [10_000, 3_650],
  ])('look, of events that are kept for %d days, %d days back', (retentionDays, days) => {
    const rules = [
      { event: 'A', ...RANGE, operator: 'gt', value: 1 },
      { not: true, match: 'any', rules: [{ sequence: [{ event: 'A' }, { event: 'B' }], ...RANGE }] },
    ];
    const bound = boundRanges(predicateOf(rules), retentionDays);
    const range = { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 11, 1) };
    for (const { window } of [...measuresOf(bound), ...sequencesOf(bound)])
      expect(window).toEqual({ unit: 'day', count: days, range });
    expect(measuresOf(bound)).toMatchObject([{ measure: { range } }]);
    // Those that follow may be later.
    const [sequence] = sequencesOf(bound);
    expect(sequence?.steps).toMatchObject([{ event: 'A', range }, { event: 'B' }]);
    expect(sequence?.steps[1]).not.toHaveProperty('range');
  });

  it('leave windows as they are', () => {
    const predicate = predicateOf([
      { event: 'A', within: '36h', operator: 'gt', value: 1 },
      { sequence: [{ event: 'A' }, { event: 'B' }], within: '300d' },
      { field: 'plan', operator: 'exists' },
    ]);
    expect(boundRanges(predicate, 30)).toEqual(predicate);
  });
});

function predicateOf(rules: unknown[]): Predicate {
  const parsed = parseRules(rules);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.predicate;
}
