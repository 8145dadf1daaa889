import { newKey, type GroupDraft, type NodeDraft, type RuleDraft, type ValueDraft } from './rule-draft';
import { arityOf, type FieldKind, type Operator, OPERATORS_OF, valueKindsOf } from './rule-language';

const RULE_MEMBERS = ['field', 'operator', 'value', 'event', 'type', 'within'];
const GROUP_MEMBERS = ['match', 'not', 'rules'];
const GROUPS_PREFIX = 'groups.';
const DAYS = /^(\d+)d$/;

type Members = Readonly<Record<string, unknown>>;

/** Rules as JSON, to be edited member by member; undefined when they are no rules of the language. */
export function readRules(rules: unknown, match: unknown): GroupDraft | undefined {
  return readGroup({ rules, match });
}

function readGroup(group: Members): GroupDraft | undefined {
  const { match = 'all', not = false, rules } = group;
  if (!hasOnly(group, GROUP_MEMBERS) || !Array.isArray(rules)) return undefined;
  if ((match !== 'all' && match !== 'any') || typeof not !== 'boolean') return undefined;
  const read = rules.map(readNode);
  return read.every((node) => node !== undefined) ? { key: newKey(), match, not, rules: read } : undefined;
}

function readNode(node: unknown): NodeDraft | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined;
  return 'rules' in node ? readGroup({ ...node }) : readRule({ ...node });
}

function readRule(rule: Members): RuleDraft | undefined {
  const { field, value, event = '', type = '', within } = rule;
  if (!hasOnly(rule, RULE_MEMBERS) || typeof field !== 'string') return undefined;
  if (typeof event !== 'string' || typeof type !== 'string') return undefined;
  const { kind, name } = fieldOf(field);
  const operator = OPERATORS_OF[kind].find((one) => one === rule.operator);
  const days = within === undefined ? '' : daysIn(within);
  if (operator === undefined || days === undefined) return undefined;
  const values = readValues(value, operator, kind);
  return values && { key: newKey(), kind, name, operator, values, event, type, within: days };
}

function daysIn(within: unknown): string | undefined {
  return typeof within === 'string' ? DAYS.exec(within)?.[1] : undefined;
}

function fieldOf(field: string): { readonly kind: FieldKind; readonly name: string } {
  switch (field) {
    case 'event_count':
    case 'first_seen':
    case 'last_seen':
    case 'groups':
    case 'segments':
      return { kind: field, name: '' };
    default:
      return field.startsWith(GROUPS_PREFIX)
        ? { kind: 'group_trait', name: field.slice(GROUPS_PREFIX.length) }
        : { kind: 'trait', name: field };
  }
}

function readValues(value: unknown, operator: Operator, kind: FieldKind): ValueDraft[] | undefined {
  const arity = arityOf(operator);
  if (arity === 'none') return [];
  if (arity === 'many' && !Array.isArray(value)) return undefined;
  const given: unknown[] = arity === 'many' ? (value as unknown[]) : [value];
  const kinds = valueKindsOf(kind, operator);
  const read = given.map(readValue);
  return read.every((one) => one !== undefined && kinds.includes(one.kind))
    ? (read as ValueDraft[])
    : undefined;
}

function readValue(value: unknown): ValueDraft | undefined {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'number':
    case 'boolean':
      return { kind: typeof value as 'number' | 'boolean', text: String(value) };
    case 'object':
      return value === null ? { kind: 'null', text: '' } : { kind: 'json', text: JSON.stringify(value) };
    default:
      return undefined;
  }
}

function hasOnly(members: Members, known: readonly string[]): boolean {
  return Object.keys(members).every((name) => known.includes(name));
}
