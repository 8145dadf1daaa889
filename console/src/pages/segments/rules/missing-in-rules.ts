import { labelsInside } from '../../../shared/segments/field-labels';
import { missingInMeasure } from '../../../shared/segments/events/measure-draft';
import { missingInTest } from '../../../shared/segments/values/test-draft';
import {
  type GroupDraft,
  isGroup,
  isOfEvents,
  isSequence,
  type NodeDraft,
  type RuleDraft,
} from './rule-draft';
import { comparedOf, NO_TRAITS, TRAIT_LABELS } from './rule-language';
import { nodeName } from './rule-place-words';
import { missingInSequence } from './sequence-draft';

/** The fields without which `writeRules` has no rules: `Rule 1, Value`. None where they are complete. */
export function missingInRules({ rules }: GroupDraft, place: readonly number[] = []): string[] {
  return rules.flatMap((node, index) => missingInNode(node, [...place, index]));
}

function missingInNode(node: NodeDraft, place: readonly number[]): string[] {
  const name = nodeName(node, place);
  if (!isGroup(node))
    return labelsInside(name, isSequence(node) ? missingInSequence(node) : missingInRule(node));
  return node.rules.length === 0 ? [`${name}, a rule`] : missingInRules(node, place);
}

function missingInRule(rule: RuleDraft): string[] {
  const trait = TRAIT_LABELS[rule.kind];
  return [
    ...(trait !== undefined && rule.name === '' ? [trait] : []),
    ...(isOfEvents(rule) ? missingInMeasure(rule.measure, rule.kind === 'event_count') : []),
    ...missingInTest(rule, comparedOf(rule, NO_TRAITS)),
  ];
}
