import { aggregateWords } from './aggregates';
import { FIELD_WORDS, testWords } from './language-words';

/** A rule of a segment as the API has it; `docs/segments.md` says what it means. */
export interface Rule {
  /** Left out where `event` says what is counted. */
  readonly field?: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly event?: string;
  readonly type?: string;
  readonly within?: string;
  readonly from?: string;
  readonly to?: string;
  readonly where?: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
  readonly aggregate?: string;
  readonly of?: string;
}

/** What of a rule says what it looks at; a computed trait has such members, too. */
type Subject = Omit<Rule, 'operator' | 'value'>;

/** Events one after another. */
export interface SequenceRule extends Pick<Rule, 'within' | 'from' | 'to'> {
  readonly sequence: readonly SequenceStep[];
  readonly allWithin?: string;
  readonly not?: SequenceStep;
}

type SequenceStep = Pick<Rule, 'type' | 'where' | 'within'> & { readonly event: string };

/** Rules inside rules. */
export interface RuleGroup {
  readonly match?: 'all' | 'any';
  readonly not?: boolean;
  readonly rules: readonly RuleNode[];
}

export type RuleNode = Rule | SequenceRule | RuleGroup;

/** A rule on one line: `Number of events of "Order Completed" in the last 30d is at least 3`. */
export function ruleWords(rule: Rule | SequenceRule, segmentName: (id: string) => string): string {
  if ('sequence' in rule) return sequenceWords(rule);
  const { field = 'event_count', operator, value } = rule;
  const shown = field === 'segments' && typeof value === 'string' ? segmentName(value) : value;
  return `${subjectWords(rule)} ${testWords(field, operator, shown)}`;
}

/** What a rule looks at, or a computed trait is: `Sum of properties.total in events of "Paid" in the last 30d`. */
export function subjectWords(rule: Subject): string {
  const { field = 'event_count', event, type, where = [], aggregate = '', of } = rule;
  return [
    of === undefined ? (FIELDS.get(field) ?? field) : `${aggregateWords(aggregate)} of ${of} in events`,
    event !== undefined && `of ${JSON.stringify(event)}`,
    type !== undefined && `of type ${type}`,
    where.length > 0 && `${whereWords(where)},`,
    windowWords(rule),
  ]
    .filter((word) => word !== false && word !== '')
    .join(' ');
}

/**
 * Such as `"Product Added", then within 1d "Checkout", all within 7d, then within 2d no "Order Completed", the first in
 * the last 30d`.
 */
function sequenceWords({ sequence, allWithin, not, ...window }: SequenceRule): string {
  return [
    sequence.map((step) => stepWords(step, '')).join(', then '),
    ...(allWithin === undefined ? [] : [`all within ${allWithin}`]),
    ...(not === undefined ? [] : [`then ${stepWords(not, 'no ')}`]),
    `the first ${windowWords(window)}`,
  ].join(', ');
}

/** What an event is to a sequence, by the members that look for it: `"Paid" as step 2 and what does not follow`. */
export function soughtWords(members: readonly string[], { sequence, not }: SequenceRule): string {
  const parts = new Map<string, readonly [string, SequenceStep]>(
    sequence.map((step, at) => [`sequence[${at}]`, [`step ${at + 1}`, step]]),
  );
  if (not !== undefined) parts.set('not', ['what does not follow', not]);
  // Whatever is looked for, the event is of one name.
  const name = members.map((member) => parts.get(member)?.[1].event).find((event) => event !== undefined);
  const places = members.map((member) => parts.get(member)?.[0] ?? member).join(' and ');
  return name === undefined ? `as ${places}` : `${JSON.stringify(name)} as ${places}`;
}

/** When the events are: a window, or the ends of a range. */
function windowWords({ within, from, to }: Pick<Rule, 'within' | 'from' | 'to'>): string {
  if (within !== undefined) return `in the last ${within}`;
  return [
    ...(from === undefined ? [] : [`from ${from} on`]),
    ...(to === undefined ? [] : [`before ${to}`]),
  ].join(' and ');
}

function stepWords({ event, type, where = [], within }: SequenceStep, no: string): string {
  const time = within === undefined ? '' : `within ${within} `;
  const ofType = type === undefined ? '' : ` of type ${type}`;
  return `${time}${no}${JSON.stringify(event)}${ofType}${where.length === 0 ? '' : ` ${whereWords(where)}`}`;
}

function whereWords(where: NonNullable<Rule['where']>): string {
  return `where ${where.map((test) => `${test.field} ${testWords(test.field, test.operator, test.value)}`).join(' and ')}`;
}

/** Traits are called as they are. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  (['event_count', 'first_seen', 'last_seen', 'groups', 'segments'] as const).map((field) => [
    field,
    FIELD_WORDS[field],
  ]),
);

/** What is asked of the rules of a group: `not any of these`. */
export function groupWords({ match, not }: { readonly match?: unknown; readonly not?: unknown }): string {
  const words = match === 'any' ? 'any of these' : 'all of these';
  return not === true ? `not ${words}` : words;
}
