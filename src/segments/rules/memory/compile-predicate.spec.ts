import * as fc from 'fast-check';
import { documentedCases, NOBODY } from '../../../../test/support/documented-rules';
import { randomProfile, randomRuleNode } from '../../../../test/support/random-segments';
import { groupOracle, oracle, VALUES } from '../../../../test/support/rule-oracle';
import { factsOf } from '../../../../test/support/segment-facts';
import type { JsonObject, JsonValue } from '../../../events/customer-event';
import { compilePredicate, type PredicateTest } from './compile-predicate';
import { explainRules } from './explain-rules';
import { parseRules } from '../parsing/parse-rules';
import { type Operator, OPERATORS } from '../../../language/operators';

const NOW = Date.UTC(2026, 10, 20, 16, 30);

/** The same in SQL: test/integration/segment-rules.spec.ts, which also holds the two together. */
describe('compilePredicate', () => {
  it.each(documentedCases())(
    'means what docs/segments.md says: $rule',
    ({ predicate, profiles, verdicts }) => {
      const test = compilePredicate(predicate);
      expect(profiles.map((profile) => test(factsOf(profile, NOW)))).toEqual(verdicts);
    },
  );

  it.each(OPERATORS)(
    'means what a plain reading of it says, of every value with every value: %s',
    (operator) => {
      const traits = [{}, ...VALUES.map((trait) => ({ trait }))];
      let evaluated = 0;
      for (const { rule, test } of rulesOf('trait', operator)) {
        const seen = traits.map((each) => test(factsOf({ ...NOBODY, traits: each }, NOW)));
        const said = traits.map(({ trait }: { trait?: JsonValue }) =>
          oracle(operator, trait, rule.value as JsonValue),
        );
        expect({ rule, seen }).toEqual({ rule, seen: said });
        evaluated += seen.length;
      }
      expect(evaluated).toBeGreaterThan(operator.endsWith('exists') ? 60 : 2_000);
    },
  );

  it.each(OPERATORS)('means what a plain reading of it says, of two groups of a person: %s', (operator) => {
    // Nobody, one group without the trait, and each value beside another one or none.
    const people: (JsonValue | undefined)[][] = [
      [],
      [undefined],
      ...VALUES.map((value, at) => [value, at % 3 === 0 ? undefined : VALUES[(at * 7) % VALUES.length]]),
    ];
    let evaluated = 0;
    for (const { rule, test } of rulesOf('groups.trait', operator)) {
      const seen = people.map((values) => {
        const groupTraits = values.map((trait): JsonObject => (trait === undefined ? {} : { trait }));
        return test(factsOf({ ...NOBODY, groups: values.map((_, at) => `g-${at}`), groupTraits }, NOW));
      });
      const said = people.map((values) => groupOracle(operator, values, rule.value as JsonValue));
      expect({ rule, seen }).toEqual({ rule, seen: said });
      evaluated += seen.length;
    }
    expect(evaluated).toBeGreaterThan(operator.endsWith('exists') ? 60 : 2_000);
  });

  it('joins rules as their groups say, and explains each of them', () => {
    fc.assert(
      fc.property(
        fc.array(randomRuleNode, { maxLength: 4 }),
        fc.constantFrom('all', 'any'),
        randomProfile(NOW),
        (rules, match, profile) => {
          const parsed = parseRules(rules, match);
          fc.pre(parsed.ok);
          const facts = factsOf(profile, NOW);
          const verdicts = explainRules(rules, parsed.predicate, facts, {
            counted: new Map(),
            progress: new Map(),
          }).map(({ verdict }) => verdict);
          const joined = match === 'all' ? !verdicts.includes(false) : verdicts.includes(true);
          expect(compilePredicate(parsed.predicate)(facts)).toBe(rules.length === 0 || joined);
        },
      ),
    );
  });
});

/** A rule for each value that the operator takes. */
function rulesOf(field: string, operator: Operator): { rule: { value?: unknown }; test: PredicateTest }[] {
  const lists = VALUES.map((value, at) => [value, VALUES[(at * 7) % VALUES.length]]);
  const values = operator.endsWith('exists') ? [undefined] : operator.endsWith('in') ? lists : VALUES;
  return values.flatMap((value) => {
    const rule = { field, operator, value };
    const parsed = parseRules([rule]);
    return parsed.ok ? [{ rule, test: compilePredicate(parsed.predicate) }] : [];
  });
}
