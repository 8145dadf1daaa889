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
  readonly where?: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
  readonly aggregate?: string;
  readonly of?: string;
}

/** Rules inside rules. */
export interface RuleGroup {
  readonly match?: 'all' | 'any';
  readonly not?: boolean;
  readonly rules: readonly RuleNode[];
}

export type RuleNode = Rule | RuleGroup;

/** A rule on one line: `Number of events of "Order Completed" in the last 30d is at least 3`. */
export function ruleWords(rule: Rule, segmentName: (id: string) => string): string {
  const { field = 'event_count', operator, value, event, type, within, where = [], aggregate, of } = rule;
  const shown = field === 'segments' && typeof value === 'string' ? segmentName(value) : value;
  return [
    of === undefined
      ? (FIELDS.get(field) ?? field)
      : `${AGGREGATE_WORDS.get(aggregate ?? '') ?? aggregate} of ${of} in events`,
    event !== undefined && `of ${JSON.stringify(event)}`,
    type !== undefined && `of type ${type}`,
    where.length > 0 &&
      `where ${where.map((test) => `${test.field} ${testWords(test.field, test.operator, test.value)}`).join(' and ')},`,
    within !== undefined && `in the last ${within}`,
    testWords(field, operator, shown),
  ]
    .filter((word) => word !== false)
    .join(' ');
}

/** What is made of values in events. */
const AGGREGATE_WORDS: ReadonlyMap<string, string> = new Map([
  ['unique', 'Number of different values'],
  ['sum', 'Sum'],
  ['min', 'Smallest'],
  ['max', 'Largest'],
  ['avg', 'Average'],
  ['first', 'First value'],
  ['last', 'Last value'],
]);

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
