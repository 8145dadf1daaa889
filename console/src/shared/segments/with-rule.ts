import type { Rule, RuleNode, SequenceRule } from './rule-words';

interface Segment {
  readonly rules: readonly unknown[];
}

/** The segments that have such a rule, however deep down it is. */
export function segmentsWithRule<Some extends Segment>(
  segments: readonly Some[],
  isSuch: (rule: Rule | SequenceRule) => boolean,
): Some[] {
  const has = (node: RuleNode): boolean => ('rules' in node ? node.rules.some(has) : isSuch(node));
  return segments.filter(({ rules }) => (rules as readonly RuleNode[]).some(has));
}
