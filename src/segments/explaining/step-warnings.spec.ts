import { parseRules } from '../rules/parse-rules';
import { stepWarnings } from './step-warnings';

describe('a warning of a step', () => {
  it.each<[object, string, boolean]>([
    [{ within: '12h' }, '12h', false],
    [{ within: '12h' }, '13h', true],
    [{ within: '30d' }, '30d', false],
    [{ within: '30d' }, '400d', true],
    [{ from: '2026-11-01' }, '364d', false],
    [{ from: '2026-11-01' }, '365d', true],
  ])('of a sequence in %j, in %s after the one before, is given: %s', (when, within, isGiven) => {
    const sequence = { sequence: [{ event: 'A' }, { event: 'B', within }], ...when };
    const parsed = parseRules([{ rules: [sequence] }]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const warnings = stepWarnings(parsed.predicate, 365);
    const path = 'rules[0].rules[0].sequence[1].within';
    expect(warnings.map((warning) => warning.path)).toEqual(isGiven ? [path] : []);
  });
});
