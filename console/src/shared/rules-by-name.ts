/** A rule of a tracking plan. */
export interface NamedRule {
  readonly type: string;
  readonly event?: string;
}

/** By what a rule is called, which no other of its plan is: `track Order Completed`, or `identify`. */
export function rulesByName<Rule extends NamedRule>(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [nameOf(rule), rule]));
}

function nameOf({ type, event }: NamedRule): string {
  return event === undefined ? type : `${type} ${event}`;
}
