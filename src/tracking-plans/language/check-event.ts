import type { EventType, JsonObject } from '../../events/customer-event';
import { type CompiledPlan, labelOf, type RuleInForce } from './compile-plan';
import { omitMembers } from './omit-members';
import { pathOf } from './place';
import {
  type Action,
  ACTIONS,
  type Finding,
  MAX_OMITTED_NAMED,
  MAX_VIOLATIONS,
  type PlanContent,
  type Verdict,
  type Violation,
} from './plan';
import { findUnnamed } from './shape';
import { tellErrors } from './tell-errors';

/** Of an event with so many values that its errors are found one by one. */
const MAX_ROUNDS = MAX_VIOLATIONS;

/** Where members of an event stand that people define. */
const FREE_MEMBERS = ['properties', 'traits'] as const;

/**
 * What a plan says of an event as it is kept, with numbers as numbers. The event is not changed: `omitMembers` takes out
 * of it what the verdict says.
 */
export function checkEvent(plan: CompiledPlan, event: JsonObject): Verdict {
  const { findings, areFirst } = findViolations(plan, event);
  if (findings.length === 0) return PASS;
  const outcome = strongest(findings);
  if (outcome !== 'omit') return verdictOf(outcome, findings, [], event);
  return areFirst ? omitOneByOne(plan, event) : verdictOf('omit', findings, targetsOf(findings), event);
}

const PASS: Verdict = { outcome: 'pass', violations: [], targets: [], omitted: [] };

/** Whole members of `properties` and `traits` go, so that each round has less to look at. */
function omitOneByOne(plan: CompiledPlan, event: JsonObject): Verdict {
  const all: Finding[] = [];
  const omitted: (readonly string[])[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { findings, areFirst } = findViolations(plan, omitMembers(event, omitted));
    const targets = targetsOf(findings).map((target) => target.slice(0, 2));
    all.push(...findings);
    omitted.push(...targets);
    if (targets.length === 0 || !areFirst) break;
  }
  return verdictOf('omit', all, omitted, event);
}

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

interface Findings {
  readonly findings: readonly Finding[];
  readonly areFirst: boolean;
}

function findViolations(plan: CompiledPlan, event: JsonObject): Findings {
  const type = event.type as EventType;
  const name = nameOf(event);
  const inForce = plan.ruleFor(type, name);
  if (inForce === undefined) return { findings: unplannedEvent(plan.content, event, name), areFirst: false };
  const { errors, areFirst } = inForce.compiled.check(event);
  const action = inForce.rule.onViolation;
  const wrong = errors.length === 0 ? [] : tellErrors(errors, event, { rule: inForce.label, action });
  return { findings: [...wrong, ...unplannedProperties(plan.content, inForce, event)], areFirst };
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
    const shapes = compiled.shapes.flatMap(({ names }) => names.get(member) ?? []);
    findUnnamed(event[member], shapes, member, (target) => {
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

function nameOf({ type, event, name }: JsonObject): string | undefined {
  const named = type === 'track' ? event : type === 'page' || type === 'screen' ? name : undefined;
  return typeof named === 'string' ? named : undefined;
}

function strongest(findings: readonly Finding[]): Action {
  return ACTIONS[Math.max(...findings.map(({ action }) => ACTIONS.indexOf(action)))] ?? 'observe';
}

function targetsOf(findings: readonly Finding[]): (readonly string[])[] {
  return findings.flatMap(({ action, targets }) => (action === 'omit' ? targets : []));
}
