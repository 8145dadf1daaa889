import type { EventType, JsonObject } from '../../events/customer-event';
import type { CompiledPlan, RuleInForce } from './compile-plan';
import { TOO_MANY_VALUES } from './compile-rule';
import { pathOf } from './violation-path';
import {
  type Action,
  ACTIONS,
  FREE_MEMBERS,
  type Finding,
  labelOf,
  MAX_OMITTED_NAMED,
  MAX_VIOLATIONS,
  type PlanContent,
  type Verdict,
  type Violation,
} from './plan';
import { findUnnamed } from './shape';
import { tellErrors } from './tell-errors';

/**
 * What a plan says of an event as it is kept, with numbers as numbers. The event is not changed: `omitMembers` takes
 * out of it what the verdict says.
 */
export function checkEvent(plan: CompiledPlan, event: JsonObject): Verdict {
  const findings = findViolations(plan, event);
  if (findings.length === 0) return PASS;
  const outcome = strongest(findings);
  return verdictOf(outcome, findings, outcome === 'omit' ? targetsOf(findings) : [], event);
}

const PASS: Verdict = { outcome: 'pass', violations: [], targets: [], omitted: [] };

function verdictOf(
  outcome: Action,
  findings: readonly Finding[],
  targets: readonly (readonly string[])[],
  event: JsonObject,
): Verdict {
  const violations = findings.slice(0, MAX_VIOLATIONS).map(violationOf);
  const named = targets.slice(0, MAX_OMITTED_NAMED).map((target) => pathOf(target, event));
  return { outcome, violations, targets, omitted: [...new Set(named)] };
}

function violationOf({ rule, path, code, keyword, message }: Finding): Violation {
  return { rule, path, code, ...(keyword === undefined ? {} : { keyword }), message };
}

function findViolations(plan: CompiledPlan, event: JsonObject): Finding[] {
  const type = event.type as EventType;
  const name = nameOf(event);
  const inForce = plan.ruleFor(type, name);
  if (inForce === undefined)
    return plan.plannedTypes.has(type) ? unplannedEvent(plan.content, event, name) : [];
  const errors = inForce.compiled.check(event);
  const action = inForce.rule.onViolation;
  const wrong = errors.length === 0 ? [] : tellErrors(errors, event, { rule: inForce.label, action });
  if (errors[0] === TOO_MANY_VALUES) return wrong;
  return [...wrong, ...unplannedProperties(plan.content, inForce, event)];
}

function unplannedEvent(
  { unplannedEvents }: PlanContent,
  event: JsonObject,
  name: string | undefined,
): Finding[] {
  if (unplannedEvents === 'allow') return [];
  const rule = labelOf(event.type as EventType, name);
  const violation = { rule, code: 'unplanned_event', action: unplannedEvents } as const;
  // None of its properties is planned either.
  const targets = FREE_MEMBERS.flatMap((member) =>
    Object.keys(event[member] ?? {}).map((key) => [member, key]),
  );
  return [{ ...violation, path: '', message: 'No rule of the plan is for this event.', targets }];
}

function unplannedProperties(
  content: PlanContent,
  { rule, label, compiled }: RuleInForce,
  event: JsonObject,
): Finding[] {
  const action = rule.unplannedProperties ?? content.unplannedProperties;
  if (action === 'allow') return [];
  const findings: Finding[] = [];
  for (const member of FREE_MEMBERS) {
    findUnnamed(event[member], compiled.shapes[member], member, (target) => {
      const message = 'The plan names no such property.';
      findings.push({
        rule: label,
        path: pathOf(target, event),
        code: 'unplanned_property',
        message,
        action,
        targets: [target],
      });
    });
  }
  return findings;
}

/** Of a track, a page or a screen that has one. */
export function nameOf({ type, event, name }: JsonObject): string | undefined {
  const named = type === 'track' ? event : type === 'page' || type === 'screen' ? name : undefined;
  return typeof named === 'string' ? named : undefined;
}

function strongest(findings: readonly Finding[]): Action {
  return ACTIONS.findLast((action) => findings.some((finding) => finding.action === action)) ?? 'observe';
}

function targetsOf(findings: readonly Finding[]): (readonly string[])[] {
  return findings.flatMap(({ action, targets }) => (action === 'omit' ? targets : []));
}
