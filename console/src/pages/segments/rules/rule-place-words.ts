import { memberWords } from '../../../shared/segments/member-words';
import { type GroupDraft, isGroup, isSequence, type NodeDraft } from './rule-draft';
import { TRAIT_LABELS } from './rule-language';

const RULE = /^rules\[(\d+)\]\.?/;

/** Of a group, a sequence or a rule what it is called: `Rule 2.1`. */
export function nodeName(node: NodeDraft, place: readonly number[]): string {
  return `${kindOf(node)} ${place.map((index) => index + 1).join('.')}`;
}

/** Where something is in the rules, as the builder calls it: `rules[0].to` is `Rule 1, Before`. */
export function rulePlaceWords(path: string, { rules }: GroupDraft, place: readonly number[] = []): string {
  const [rule = '', index = ''] = RULE.exec(path) ?? [];
  const node = rules[Number(index)];
  if (rule === '' || node === undefined) return memberWords(path);
  const [inner, member] = [[...place, Number(index)], path.slice(rule.length)];
  if (isGroup(node) && RULE.test(member)) return rulePlaceWords(member, node, inner);
  return [nodeName(node, inner), ...(member === '' ? [] : [memberOf(node, member)])].join(', ');
}

function memberOf(node: NodeDraft, member: string): string {
  if (member !== 'field' || isGroup(node) || isSequence(node)) return memberWords(member);
  return TRAIT_LABELS[node.kind] ?? memberWords(member);
}

function kindOf(node: NodeDraft): string {
  if (isGroup(node)) return 'Group';
  return isSequence(node) ? 'Sequence' : 'Rule';
}
