import type { RuleNode } from '../../shared/segments/rule-words';

interface Segment {
  readonly rules: readonly unknown[];
}

/** The segments whose rules ask about a computed trait. */
export function segmentsThatName<Some extends Segment>(name: string, segments: readonly Some[]): Some[] {
  const asks = (node: RuleNode): boolean =>
    'rules' in node ? node.rules.some(asks) : 'field' in node && node.field === `computed.${name}`;
  return segments.filter(({ rules }) => (rules as readonly RuleNode[]).some(asks));
}
