import type { JsonValue } from '../../../events/customer-event';
import { compilePredicate } from './compile-predicate';
import type { CountedEvent } from '../measure';
import { conditionsOf, type Predicate } from '../predicate';
import { compileField, type SegmentFacts } from './read-field';
import type { SequenceProgress } from '../sequence-progress';
import type { RuleNode } from '../rule';

/** A rule with what it saw and said; of a group the rules in it. */
interface RuleVerdict {
  readonly path: string;
  readonly rule: object;
  readonly seen?: JsonValue;
  readonly events?: readonly CountedEvent[];
  readonly progress?: SequenceProgress;
  readonly verdict: boolean;
  readonly rules?: RuleVerdict[];
}

/** What stored events say of rules, by the path of the rule. */
interface ReadEvents {
  readonly counted: ReadonlyMap<string, readonly CountedEvent[]>;
  readonly progress: ReadonlyMap<string, SequenceProgress>;
}

/** Evaluates each rule on its own, also those that the verdict of the whole did not need. */
export function explainRules(
  rules: readonly RuleNode[],
  predicate: Predicate,
  facts: SegmentFacts,
  stored: ReadEvents,
): RuleVerdict[] {
  const conditions = new Map(conditionsOf(predicate).map((condition) => [condition.path, condition]));
  const explain = (node: RuleNode, path: string): RuleVerdict => {
    if ('rules' in node) {
      const { rules: inner, match = 'all', not = false } = node;
      const verdicts = inner.map((rule, index) => explain(rule, `${path}.rules[${index}]`));
      const isTrue = ({ verdict }: RuleVerdict): boolean => verdict;
      const verdict = (match === 'all' ? verdicts.every(isTrue) : verdicts.some(isTrue)) !== not;
      return { path, rule: { match, not }, verdict, rules: verdicts };
    }
    const condition = conditions.get(path);
    if (condition === undefined) throw new Error(`The rule at ${path} is not in the predicate.`);
    const seen = compileField(condition.field)(facts);
    const verdict = compilePredicate(condition)(facts);
    const events = stored.counted.get(path);
    const progress = stored.progress.get(path);
    return {
      path,
      rule: node,
      ...(seen !== undefined && { seen }),
      ...(events && { events }),
      ...(progress && { progress }),
      verdict,
    };
  };
  return rules.map((rule, index) => explain(rule, `rules[${index}]`));
}
