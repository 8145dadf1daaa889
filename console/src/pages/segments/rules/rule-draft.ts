import { newKey } from '../../../shared/new-key';
import { type MeasureDraft, NEW_MEASURE } from '../../../shared/segments/events/measure-draft';
import { adaptTest, newTest, type TestDraft } from '../../../shared/segments/values/test-draft';
import { firstOperator } from '../../../shared/segments/values/value-language';
import { comparedOf, type FieldKind, NO_TRAITS, type TraitAggregates } from './rule-language';
import type { SequenceDraft } from './sequence-draft';

/** A rule while it is written: its members as people type them. */
export interface RuleDraft extends TestDraft {
  /** For React: it stays with the rule wherever that moves. */
  readonly key: string;
  readonly kind: FieldKind;
  /** Of a trait: its name or path. */
  readonly name: string;
  /** Which events are counted, and what is made of them, where the rule is about events. */
  readonly measure: MeasureDraft;
}

export interface GroupDraft {
  readonly key: string;
  readonly match: 'all' | 'any';
  readonly not: boolean;
  readonly rules: readonly NodeDraft[];
}

export type NodeDraft = RuleDraft | SequenceDraft | GroupDraft;

/** Groups inside groups, as the service takes them. */
export const MAX_DEPTH = 5;

export function isGroup(node: NodeDraft): node is GroupDraft {
  return 'rules' in node;
}

export function isSequence(node: NodeDraft): node is SequenceDraft {
  return 'steps' in node;
}

export function newRule(): RuleDraft {
  return { key: newKey(), kind: 'trait', name: '', measure: NEW_MEASURE, ...newTest('anything') };
}

export function newGroup(): GroupDraft {
  return { key: newKey(), match: 'any', not: false, rules: [newRule()] };
}

/** Whether a rule is about events, and which they are is said. */
export function isOfEvents({ kind }: Pick<RuleDraft, 'kind'>): boolean {
  return kind === 'event_count' || kind === 'measure';
}

/** The rule with other members, and what follows: an operator and values that go with its field. */
export function changeRule(
  rule: RuleDraft,
  changes: Partial<RuleDraft>,
  traits: TraitAggregates = NO_TRAITS,
): RuleDraft {
  const changed = { ...rule, ...changes };
  const isOther = changed.kind !== rule.kind;
  const measure = isOther && !(isOfEvents(rule) && isOfEvents(changed)) ? NEW_MEASURE : changed.measure;
  const name = isOther ? '' : changed.name;
  const next = { ...changed, name, measure };
  const [before, compared] = [comparedOf(rule, traits), comparedOf(next, traits)];
  const values = isOther ? [] : changed.values;
  if (compared === before) return { ...next, ...adaptTest({ operator: next.operator, values }, compared) };
  // What is not written yet begins as one does with what is compared now.
  const written = values.filter(({ text }) => text !== '');
  const isChosen = changes.operator !== undefined || next.operator !== firstOperator(before);
  const operator = isChosen || written.length > 0 ? next.operator : firstOperator(compared);
  return { ...next, ...adaptTest({ operator, values: written }, compared) };
}
