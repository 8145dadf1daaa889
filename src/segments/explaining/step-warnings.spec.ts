import { parseRules } from '../rules/parsing/parse-rules';
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

  it.each<[object, readonly string[], string[]]>([
    [{ allWithin: '7d' }, ['', ''], []],
    [{ allWithin: '31d' }, ['', ''], ['allWithin sequence_beyond_window']],
    [{ allWithin: '7d' }, ['7d', '7d'], []],
    [{ allWithin: '7d' }, ['8d', '1d'], ['sequence[1].within step_beyond_sequence']],
    [{ allWithin: '7d' }, ['31d', '1d'], ['sequence[1].within step_beyond_window']],
    [{ allWithin: '47h' }, ['1d', '1d'], []],
    [{ allWithin: '48h' }, ['1d', '1d'], ['allWithin sequence_beyond_steps']],
    [{ allWithin: '48h' }, ['1d', ''], []],
  ])('of all steps in %j, with %j for each, is %j', (all, times, expected) => {
    const later = times.map((within) => ({ event: 'B', ...(within !== '' && { within }) }));
    const parsed = parseRules([{ sequence: [{ event: 'A' }, ...later], within: '30d', ...all }]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const warnings = stepWarnings(parsed.predicate, 365);
    expect(warnings.map(({ path, code }) => `${path} ${code}`)).toEqual(
      expected.map((one) => `rules[0].${one}`),
    );
  });
});
