import { writeCount, writeMeasure } from '../../../shared/segments/events/measure-draft';
import type { Rule, RuleGroup, RuleNode } from '../../../shared/segments/rule-words';
import { writeTest } from '../../../shared/segments/values/test-draft';
import { type GroupDraft, isGroup, isSequence, type NodeDraft, type RuleDraft } from './rule-draft';
import { comparedOf, NO_TRAITS } from './rule-language';
import { writeSequence } from './sequence-draft';

/** What a segment is: its rules, and whether all or any of them must hold. */
export interface Definition {
  readonly match: 'all' | 'any';
  readonly rules: readonly RuleNode[];
}

/** Names that mean something else than a trait when they stand alone. */
const RESERVED = ['event_count', 'first_seen', 'last_seen', 'groups', 'segments'];
/** And what such names begin with. */
const RESERVED_PREFIXES = ['groups.', 'computed.'];

/** The rules as JSON; undefined while something that they need is not written yet. */
export function writeRules({ match, rules }: GroupDraft): Definition | undefined {
  const written = rules.map(writeNode);
  return written.every((node) => node !== undefined) ? { match, rules: written } : undefined;
}

/** Those rules that are complete, and of groups what is in them. */
export function writeComplete({ match, rules }: GroupDraft): Definition {
  return { match, rules: rules.flatMap((node) => writeNode(isGroup(node) ? completeIn(node) : node) ?? []) };
}

function completeIn(group: GroupDraft): GroupDraft {
  const nodes = group.rules.map((node) => (isGroup(node) ? completeIn(node) : node));
  return { ...group, rules: nodes.filter((node) => writeNode(node) !== undefined) };
}

function writeNode(node: NodeDraft): RuleNode | undefined {
  if (isGroup(node)) return writeGroup(node);
  return isSequence(node) ? writeSequence(node) : writeRule(node);
}

function writeGroup({ match, not, rules }: GroupDraft): RuleGroup | undefined {
  const written = rules.map(writeNode);
  if (written.length === 0 || written.includes(undefined)) return undefined;
  return { match, ...(not ? { not } : {}), rules: written as RuleNode[] };
}

function writeRule(draft: RuleDraft): Rule | undefined {
  const subject = writeSubject(draft);
  const test = writeTest(draft, comparedOf(draft, NO_TRAITS));
  return subject && test && { ...subject, ...test };
}

/** What the rule looks at. */
function writeSubject({ kind, name, measure }: RuleDraft): Omit<Rule, 'operator' | 'value'> | undefined {
  switch (kind) {
    case 'event_count': {
      const count = writeCount(measure);
      return count && { field: kind, ...count };
    }
    case 'measure':
      return writeMeasure(measure);
    case 'trait':
      return name === '' ? undefined : { field: isReserved(name) ? `traits.${name}` : name };
    case 'group_trait':
      return name === '' ? undefined : { field: `groups.${name}` };
    case 'computed':
      return name === '' ? undefined : { field: `computed.${name}` };
    default:
      return { field: kind };
  }
}

function isReserved(name: string): boolean {
  return RESERVED.includes(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
