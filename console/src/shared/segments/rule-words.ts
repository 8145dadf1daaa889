/** A rule of a segment as the API has it; `docs/segments.md` says what it means. */
export interface Rule {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly event?: string;
  readonly type?: string;
  readonly within?: string;
}

/** Rules inside rules. */
export interface RuleGroup {
  readonly match?: 'all' | 'any';
  readonly not?: boolean;
  readonly rules: readonly RuleNode[];
}

export type RuleNode = Rule | RuleGroup;

/** A rule on one line: `event_count of "Order Completed" within 30d gte 3`. */
export function ruleWords(rule: Rule, segmentName: (id: string) => string): string {
  const { field, operator, value, event, type, within } = rule;
  const shown = field === 'segments' && typeof value === 'string' ? segmentName(value) : value;
  return [
    field,
    event !== undefined && `of ${JSON.stringify(event)}`,
    type !== undefined && `of type ${type}`,
    within !== undefined && `within ${within}`,
    operator,
    shown !== undefined && JSON.stringify(shown),
  ]
    .filter((word) => word !== false)
    .join(' ');
}

/** What is asked of the rules of a group: `not any of these`. */
export function groupWords({ match, not }: { readonly match?: unknown; readonly not?: unknown }): string {
  const words = match === 'any' ? 'any of these' : 'all of these';
  return not === true ? `not ${words}` : words;
}
