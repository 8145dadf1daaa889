import { newKey } from '../../../shared/new-key';
import { type MeasureDraft, NEW_MEASURE, readMeasure } from '../../../shared/segments/events/measure-draft';
import { WINDOW_MEMBERS } from '../../../shared/segments/events/window-draft';
import { readTest } from '../../../shared/segments/values/test-draft';
import { type GroupDraft, isOfEvents, type NodeDraft, type RuleDraft } from './rule-draft';
import { comparedOf, type FieldKind, NO_TRAITS } from './rule-language';
import { readSequence } from './sequence-draft';

const MEASURE_MEMBERS = ['event', 'type', 'where', 'aggregate', 'of', ...WINDOW_MEMBERS];
const GROUP_MEMBERS = ['match', 'not', 'rules'];
const GROUPS_PREFIX = 'groups.';
const COMPUTED_PREFIX = 'computed.';

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
  if ('rules' in node) return readGroup({ ...node });
  return 'sequence' in node ? readSequence({ ...node }) : readRule({ ...node });
}

function readRule({ field, operator, value, ...counted }: Members): RuleDraft | undefined {
  const looked = fieldOf(field ?? (counted.event === undefined ? undefined : 'event_count'), counted);
  if (looked === undefined) return undefined;
  const measure = isOfEvents(looked) ? readCounted(counted) : readNothing(counted);
  if (measure === undefined) return undefined;
  const test = readTest({ operator, value }, comparedOf({ ...looked, measure }, NO_TRAITS));
  return test && { key: newKey(), ...looked, measure, ...test };
}

function readCounted(members: Members): MeasureDraft | undefined {
  return hasOnly(members, MEASURE_MEMBERS) ? readMeasure(members) : undefined;
}

/** Only what is about events says which. */
function readNothing(members: Members): MeasureDraft | undefined {
  return hasOnly(members, []) ? NEW_MEASURE : undefined;
}

/** A number of events of which it is not said what is made of them may be one that profiles know. */
function fieldOf(field: unknown, { aggregate }: Members): Pick<RuleDraft, 'kind' | 'name'> | undefined {
  if (typeof field !== 'string') return undefined;
  const named = (kind: FieldKind, prefix: string): Pick<RuleDraft, 'kind' | 'name'> => ({
    kind,
    name: field.slice(prefix.length),
  });
  switch (field) {
    case 'event_count':
      return { kind: aggregate === undefined ? 'event_count' : 'measure', name: '' };
    case 'first_seen':
    case 'last_seen':
    case 'groups':
    case 'segments':
      return { kind: field, name: '' };
    default:
      if (field.startsWith(GROUPS_PREFIX)) return named('group_trait', GROUPS_PREFIX);
      return field.startsWith(COMPUTED_PREFIX) ? named('computed', COMPUTED_PREFIX) : named('trait', '');
  }
}

function hasOnly(members: Members, known: readonly string[]): boolean {
  return Object.keys(members).every((name) => known.includes(name));
}
