import { compileOperator } from '../../../language/compile-operator';
import { compileGroupTest } from '../group-test';
import { compileField, groupValuesReader, type SegmentFacts } from './read-field';
import type { Condition, Predicate } from '../predicate';

export type PredicateTest = (facts: SegmentFacts) => boolean;

/** Turns a predicate into a function once, so that evaluating it is nothing but calls. */
export function compilePredicate(predicate: Predicate): PredicateTest {
  switch (predicate.kind) {
    case 'condition':
      return compileCondition(predicate);
    case 'not': {
      const test = compilePredicate(predicate.of);
      return (facts) => !test(facts);
    }
    case 'all':
    case 'any': {
      const tests = predicate.of.map(compilePredicate);
      if (tests.length === 1 && tests[0] !== undefined) return tests[0];
      return predicate.kind === 'all'
        ? (facts) => tests.every((test) => test(facts))
        : (facts) => tests.some((test) => test(facts));
    }
  }
}

function compileCondition({ field, operator, comparand }: Condition): PredicateTest {
  if (field.kind === 'group_trait') {
    const readAll = groupValuesReader(field.paths);
    const testAll = compileGroupTest(operator, comparand);
    return (facts) => testAll(readAll(facts), facts.nowMs);
  }
  const read = compileField(field);
  const test = compileOperator(operator, comparand);
  return (facts) => test(read(facts), facts.nowMs);
}
