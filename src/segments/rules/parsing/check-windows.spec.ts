import { windowProblems } from './check-windows';
import { parseRules } from './parse-rules';

const RETENTION_DAYS = 365;

describe('windowProblems', () => {
  it.each<[object, string, string[]]>([
    [{ within: '364d' }, '1d', []],
    [{ within: '365d' }, '1d', ['rules[0].within window_beyond_retention']],
    // The window is the 12 hours before and the one under way.
    [{ within: '12h' }, '779m', []],
    [{ within: '12h' }, '13h', ['rules[0].not.within sequence_never_holds']],
    [{ within: '12h' }, '400d', ['rules[0].not.within sequence_never_holds']],
    [{ within: '30d' }, '30d', []],
    [{ within: '30d' }, '743h', []],
    [{ within: '30d' }, '31d', ['rules[0].not.within sequence_never_holds']],
    // A range ends when its events are dropped.
    [{ from: '2026-11-01' }, '364d', []],
    [{ from: '2026-11-01' }, '365d', ['rules[0].not.within sequence_never_holds']],
  ])('of a sequence in %j, of which nothing may follow in %s, are %j', (when, within, problems) => {
    const rules = [{ sequence: [{ event: 'A' }], not: { event: 'B', within }, ...when }];
    const parsed = parseRules(rules);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const found = windowProblems(parsed.predicate, RETENTION_DAYS);
    expect(found.map(({ path, code }) => `${path} ${code}`)).toEqual(problems);
  });
});
