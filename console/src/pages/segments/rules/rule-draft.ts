import {
  arityOf,
  type FieldKind,
  type Operator,
  OPERATORS_OF,
  type ValueKind,
  valueKindsOf,
} from './rule-language';

/** A value while it is written. */
export interface ValueDraft {
  readonly kind: ValueKind;
  readonly text: string;
}

/** A rule while it is written: its members as people type them. */
export interface RuleDraft {
  /** For React: it stays with the rule wherever that moves. */
  readonly key: string;
  readonly kind: FieldKind;
  /** Of a trait: its name or path. */
  readonly name: string;
  readonly operator: Operator;
  readonly values: readonly ValueDraft[];
  /** Of a number of events: which ones; the empty text is any. */
  readonly event: string;
  readonly type: string;
  /** Days. */
  readonly within: string;
}

export interface GroupDraft {
  readonly key: string;
  readonly match: 'all' | 'any';
  readonly not: boolean;
  readonly rules: readonly NodeDraft[];
}

export type NodeDraft = RuleDraft | GroupDraft;

/** Groups inside groups, as the service takes them. */
export const MAX_DEPTH = 5;

let lastKey = 0;

export function newKey(): string {
  lastKey += 1;
  return `${lastKey}`;
}

export function isGroup(node: NodeDraft): node is GroupDraft {
  return 'rules' in node;
}

export function newRule(): RuleDraft {
  const rule = { key: newKey(), kind: 'trait', name: '', operator: 'eq' } as const;
  return { ...rule, values: [{ kind: 'text', text: '' }], event: '', type: '', within: '' };
}

export function newGroup(): GroupDraft {
  return { key: newKey(), match: 'any', not: false, rules: [newRule()] };
}

/** The rule with other members, and what follows: an operator and values that go with its field. */
export function changeRule(rule: RuleDraft, changes: Partial<RuleDraft>): RuleDraft {
  const changed = { ...rule, ...changes };
  const operators = OPERATORS_OF[changed.kind];
  const operator = operators.includes(changed.operator) ? changed.operator : (operators[0] ?? 'eq');
  const isOther = changed.kind !== rule.kind;
  return {
    ...changed,
    operator,
    values: valuesFor(changed.kind, operator, isOther ? [] : changed.values),
    ...(isOther ? { name: '', event: '', type: '', within: '' } : {}),
  };
}

function valuesFor(
  kind: FieldKind,
  operator: Operator,
  before: readonly ValueDraft[],
): readonly ValueDraft[] {
  const arity = arityOf(operator);
  if (arity === 'none') return [];
  const kinds = valueKindsOf(kind, operator);
  const first = { kind: kinds[0] ?? 'text', text: '' } as const;
  const kept = before.map((value) => (kinds.includes(value.kind) ? value : { ...first, text: value.text }));
  if (kept.length === 0) return [first];
  return arity === 'one' ? kept.slice(0, 1) : kept;
}
