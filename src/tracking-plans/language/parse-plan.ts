import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  EVENT_TYPES,
  type EventType,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../events/customer-event';
import { isStorable } from '../../platform/http/input/find-unstorable';
import { InputProblems } from '../../platform/http/input/input-problems';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { compileRule, type RuleCache, schemaKey } from './compile-rule';
import { inspectSchema } from './inspect-schema';
import { MAX_EVENT_NAME_BYTES, MAX_PLAN_BYTES, MAX_PLAN_RULES } from './limits';
import {
  type Action,
  ACTIONS,
  labelOf,
  type PlanContent,
  type PlanRule,
  UNPLANNED_ACTIONS,
  type UnplannedAction,
} from './plan';

/**
 * The plan, or everything that is wrong with it; each `path` starts at the plan: `rules[3].schema.properties.total`.
 */
type ParsedPlan =
  | { readonly ok: true; readonly content: PlanContent }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/** What a client says of a plan, its members not yet looked at. */
export interface GivenPlan {
  readonly rules?: unknown;
  readonly unplannedEvents?: unknown;
  readonly unplannedProperties?: unknown;
}

const RULE_MEMBERS = ['type', 'event', 'schema', 'onViolation', 'unplannedProperties'];
const INVALID = 'invalid_rule';
/** Types of which each event has a name, or may have one. */
const NAMED_TYPES: ReadonlySet<EventType> = new Set(['track', 'page', 'screen']);

/**
 * Checks a plan, and compiles each of its schemas once, so that none is refused when an event comes. Between two rules
 * the process does other work.
 * @param compiled keeps what was compiled, for a plan that judges events next
 */
export async function parsePlan(
  { rules = [], unplannedEvents = 'allow', unplannedProperties = 'allow' }: GivenPlan,
  compiled?: RuleCache,
): Promise<ParsedPlan> {
  const problems = new InputProblems();
  const content = {
    rules: await readRules(rules, compiled, problems),
    unplannedEvents: readUnplanned(unplannedEvents, 'unplannedEvents', problems) ?? 'allow',
    unplannedProperties: readUnplanned(unplannedProperties, 'unplannedProperties', problems) ?? 'allow',
  };
  return problems.errors.length > 0 ? { ok: false, errors: problems.errors } : { ok: true, content };
}

async function readRules(
  rules: unknown,
  compiled: RuleCache | undefined,
  problems: InputProblems,
): Promise<PlanRule[]> {
  if (!Array.isArray(rules))
    return problems.fail('rules', 'invalid_rules', 'Must be an array of rules.') ?? [];
  if (rules.length > MAX_PLAN_RULES) {
    return problems.fail('rules', 'too_many_rules', `A plan has at most ${MAX_PLAN_RULES} rules.`) ?? [];
  }
  if (Buffer.byteLength(JSON.stringify(rules)) > MAX_PLAN_BYTES) {
    return (
      problems.fail('rules', 'plan_too_large', `A plan has at most ${MAX_PLAN_BYTES} bytes of JSON.`) ?? []
    );
  }
  const read: PlanRule[] = [];
  for (const [index, given] of rules.entries()) {
    const rule = readRule(given, `rules[${index}]`, problems);
    if (rule !== undefined) {
      read.push(rule);
      tryToCompile(rule.schema, compiled, `rules[${index}].schema`, problems);
    }
    await nextTurn();
  }
  demandDistinct(rules, problems);
  return read;
}

function readRule(given: unknown, path: string, problems: InputProblems): PlanRule | undefined {
  if (!isJsonObject(given))
    return problems.fail(path, INVALID, 'Must be an object with type, event and schema.');
  const before = problems.errors.length;
  problems.onlyMembers(given, RULE_MEMBERS, path, INVALID);
  const type = problems.oneOf(EVENT_TYPES, given.type, `${path}.type`, INVALID);
  const event = readName(type, given.event, `${path}.event`, problems);
  const { onViolation = 'observe', unplannedProperties, schema = {} } = given;
  const action: Action | undefined = problems.oneOf(ACTIONS, onViolation, `${path}.onViolation`, INVALID);
  const unplanned =
    unplannedProperties === undefined
      ? undefined
      : readUnplanned(unplannedProperties, `${path}.unplannedProperties`, problems);
  inspectSchema(schema, `${path}.schema`, problems);
  if (problems.errors.length > before || type === undefined || action === undefined) return undefined;
  return {
    type,
    ...(event === undefined ? {} : { event }),
    schema: isJsonObject(schema) ? schema : {},
    onViolation: action,
    ...(unplanned === undefined ? {} : { unplannedProperties: unplanned }),
  };
}

function readName(
  type: EventType | undefined,
  event: JsonValue | undefined,
  path: string,
  problems: InputProblems,
): string | undefined {
  if (type === undefined) return undefined;
  if (event === undefined) {
    return type === 'track' ? problems.fail(path, INVALID, 'Give the name of the track events.') : undefined;
  }
  if (!NAMED_TYPES.has(type)) return problems.fail(path, INVALID, `Events of type ${type} have no name.`);
  const fits = typeof event === 'string' && event !== '' && Buffer.byteLength(event) <= MAX_EVENT_NAME_BYTES;
  if (!fits) return problems.fail(path, INVALID, `Must be a text of 1 to ${MAX_EVENT_NAME_BYTES} bytes.`);
  return isStorable(event) ? event : problems.fail(path, INVALID, 'Must be text that can be stored.');
}

function tryToCompile(
  schema: JsonObject,
  compiled: RuleCache | undefined,
  path: string,
  problems: InputProblems,
): void {
  try {
    if (compiled === undefined) compileRule(schema);
    else compiled.get(schemaKey(schema), schema);
  } catch (error) {
    problems.fail(path, 'invalid_schema', error instanceof Error ? error.message : String(error));
  }
}

function readUnplanned(value: unknown, path: string, problems: InputProblems): UnplannedAction | undefined {
  return problems.oneOf(UNPLANNED_ACTIONS, value, path, 'invalid_action');
}

function demandDistinct(rules: readonly unknown[], problems: InputProblems): void {
  const seen = new Map<string, number>();
  for (const [index, rule] of rules.entries()) {
    if (!isJsonObject(rule)) continue;
    const label = labelOf(rule.type as EventType, typeof rule.event === 'string' ? rule.event : undefined);
    const other = seen.get(label);
    if (other !== undefined) {
      problems.fail(`rules[${index}]`, 'duplicate_rule', `rules[${other}] is for the same events.`);
    }
    seen.set(label, index);
  }
}
