import type { EventType } from '../../events/customer-event';
import { type CompiledRule, RuleCache, schemaKey } from './compile-rule';
import { labelOf, type PlanContent, type PlanRule } from './plan';

/** A plan that is ready to look at events. */
export interface CompiledPlan {
  readonly content: PlanContent;
  /** The rule for events of a type and name; undefined when none is. Compiled when it is asked for first. */
  readonly ruleFor: (type: EventType, name: string | undefined) => RuleInForce | undefined;
  /**
   * The types of which an event without a rule is unplanned: `track`, and those of which the plan has a rule. Who plans
   * calls of track only has said nothing of identify.
   */
  readonly plannedTypes: ReadonlySet<EventType>;
  /** What its rules are kept by in a {@link RuleCache}. */
  readonly keys: ReadonlySet<string>;
}

export interface RuleInForce {
  /** As `track Order Completed`. */
  readonly label: string;
  readonly rule: PlanRule;
  readonly compiled: CompiledRule;
}

/** Makes a plan of what `parsePlan` let pass. No rule is compiled yet. */
export function compilePlan(content: PlanContent, cache = new RuleCache()): CompiledPlan {
  const entries = content.rules.map((rule) => ({
    rule,
    label: labelOf(rule.type, rule.event),
    key: schemaKey(rule.schema),
  }));
  const byLabel = new Map(entries.map((entry) => [entry.label, entry]));
  return {
    content,
    keys: new Set(entries.map(({ key }) => key)),
    plannedTypes: new Set(['track', ...content.rules.map(({ type }) => type)]),
    ruleFor: (type, name) => {
      const entry = byLabel.get(labelOf(type, name)) ?? byLabel.get(type);
      if (entry === undefined) return undefined;
      const { rule, label, key } = entry;
      return { label, rule, compiled: cache.get(key, rule.schema) };
    },
  };
}
