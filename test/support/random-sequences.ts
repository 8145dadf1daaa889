import * as fc from 'fast-check';
import { windowProblems } from '../../src/segments/rules/parsing/check-windows';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import type { SequenceRule } from '../../src/segments/rules/rule';
import { randomWindow } from './random-window';

const randomStep = fc.record(
  {
    event: fc.constantFrom('A', 'B', 'C'),
    where: fc.array(
      fc.record({
        field: fc.constant('properties.n'),
        operator: fc.constantFrom('eq' as const, 'gt' as const, 'neq' as const),
        value: fc.constantFrom(0, 1),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    within: fc.constantFrom('30m', '5h', '1d', '3d', '40d'),
  },
  { requiredKeys: ['event'] },
);
/** Of events called A, B and C, with a number `n`, of the last ten days. */
export const randomSequence = fc
  .record(
    {
      sequence: fc.array(randomStep, { minLength: 1, maxLength: 4 }),
      allWithin: fc.constantFrom('90m', '6h', '2d', '4d'),
      not: randomStep,
      when: randomWindow(10),
    },
    { requiredKeys: ['sequence', 'when'] },
  )
  .map(
    ({
      sequence: [{ within: _none, ...first } = { event: 'A' }, ...others],
      allWithin,
      not,
      when,
    }): SequenceRule => ({
      ...when,
      sequence: [first, ...others],
      ...(allWithin !== undefined && others.length > 0 && { allWithin }),
      ...((not !== undefined || others.length === 0) && { not: { event: 'B', within: '1d', ...not } }),
    }),
  )
  .filter(isTaken);

/** What nobody can have is refused, see check-windows.spec.ts. */
function isTaken(rule: SequenceRule): boolean {
  const parsed = parseRules([rule]);
  return !parsed.ok || windowProblems(parsed.predicate, 365).length === 0;
}
