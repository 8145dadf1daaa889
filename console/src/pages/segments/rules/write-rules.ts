import type { Rule, RuleGroup, RuleNode } from '../../../shared/segments/rule-words';
import { type GroupDraft, isGroup, type NodeDraft, type RuleDraft, type ValueDraft } from './rule-draft';
import { arityOf, type FieldKind } from './rule-language';

/** What a segment is: its rules, and whether all or any of them must hold. */
export interface Definition {
  readonly match: 'all' | 'any';
  readonly rules: readonly RuleNode[];
}

/** Names that mean something else than a trait when they stand alone. */
const RESERVED = ['event_count', 'first_seen', 'last_seen', 'groups', 'segments'];

/** What they are compared with is a time or an id; a trait and a group may have the empty text. */
const NEVER_EMPTY: readonly FieldKind[] = ['first_seen', 'last_seen', 'segments'];

/** The rules as JSON; undefined while something that they need is not written yet. */
export function writeRules({ match, rules }: GroupDraft): Definition | undefined {
  const written = rules.map(writeNode);
  return written.every((node) => node !== undefined) ? { match, rules: written } : undefined;
}

function writeNode(node: NodeDraft): RuleNode | undefined {
  return isGroup(node) ? writeGroup(node) : writeRule(node);
}

function writeGroup({ match, not, rules }: GroupDraft): RuleGroup | undefined {
  const written = rules.map(writeNode);
  if (written.length === 0 || written.includes(undefined)) return undefined;
  return { match, ...(not ? { not } : {}), rules: written as RuleNode[] };
}

function writeRule(draft: RuleDraft): Rule | undefined {
  const { operator, event, type, within } = draft;
  const field = fieldText(draft);
  const values = draft.values.map((value) => readValue(value, draft));
  if (field === undefined || values.includes(undefined)) return undefined;
  const arity = arityOf(operator);
  if (arity !== 'none' && values.length === 0) return undefined;
  return {
    field,
    ...(event === '' ? {} : { event }),
    ...(type === '' ? {} : { type }),
    ...(within === '' ? {} : { within: `${within}d` }),
    operator,
    ...(arity === 'none' ? {} : { value: arity === 'many' ? values : values[0] }),
  };
}

function fieldText({ kind, name }: RuleDraft): string | undefined {
  if (kind !== 'trait' && kind !== 'group_trait') return kind;
  if (name === '') return undefined;
  if (kind === 'group_trait') return `groups.${name}`;
  return RESERVED.includes(name) || name.startsWith('groups.') ? `traits.${name}` : name;
}

/** Undefined while it is none. */
function readValue({ kind, text }: ValueDraft, rule: RuleDraft): unknown {
  switch (kind) {
    case 'text':
      return text === '' && NEVER_EMPTY.includes(rule.kind) ? undefined : text;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true';
    case 'null':
      return null;
    case 'json':
      return parseJson(text);
  }
}

function parseJson(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined; // It is still being written.
  }
}
