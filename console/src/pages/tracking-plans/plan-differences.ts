import type { Dto } from '../../api/client';
import { areSame, isObject, namesIn } from '../../shared/json-differences';
import { rulesByName } from '../../shared/rules-by-name';

/** What is compared of a version. */
export type PlanText = Dto['TrackingPlanVersionDto'];
type Rule = PlanText['rules'][number];
type JsonObject = Readonly<Record<string, unknown>>;

/** Something that two versions of a plan say differently. */
export interface Difference {
  /** As `track Order Completed`; undefined for the plan as a whole. */
  readonly rule: string | undefined;
  /** Of the event, as `properties.products[].price`; empty where it is about no member. */
  readonly member: string;
  /** What is said about it: a keyword of JSON Schema, or a member of the rule or the plan. */
  readonly what: string;
  /** Undefined where it says nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

const OF_THE_PLAN = ['name', 'description', 'unplannedEvents', 'unplannedProperties'] as const;
const OF_A_RULE = ['onViolation', 'unplannedProperties'] as const;

/** What changed between two versions of a plan: of the plan first, then rule by rule. */
export function planDifferences(before: PlanText, after: PlanText): Difference[] {
  const [rulesBefore, rulesAfter] = [rulesByName(before.rules), rulesByName(after.rules)];
  const names = new Set([...rulesBefore.keys(), ...rulesAfter.keys()]);
  return [
    ...OF_THE_PLAN.map((what) => ({
      rule: undefined,
      member: '',
      what,
      before: before[what],
      after: after[what],
    })).filter(isDifferent),
    ...[...names].flatMap((name) => ruleDifferences(name, rulesBefore.get(name), rulesAfter.get(name))),
  ];
}

function ruleDifferences(name: string, before: Rule | undefined, after: Rule | undefined): Difference[] {
  const about = { rule: name, member: '' };
  if (before === undefined || after === undefined) return [{ ...about, what: 'the rule', before, after }];
  return [
    ...OF_A_RULE.map((what) => ({ ...about, what, before: before[what], after: after[what] })).filter(
      isDifferent,
    ),
    ...schemaDifferences(about, before.schema ?? {}, after.schema ?? {}),
  ];
}

type Place = Pick<Difference, 'rule' | 'member'>;

/** Of two schemas of the same member, and of the members below it. */
function schemaDifferences(place: Place, before: JsonObject, after: JsonObject): Difference[] {
  return namesIn(before, after).flatMap((what) => {
    const [old, now] = [before[what], after[what]];
    if (what === 'properties' && isObject(old) && isObject(now)) return membersDifferences(place, old, now);
    if (what === 'items' && isObject(old) && isObject(now))
      return schemaDifferences({ ...place, member: `${place.member}[]` }, old, now);
    return [{ ...place, what, before: old, after: now }].filter(isDifferent);
  });
}

function membersDifferences({ rule, member }: Place, before: JsonObject, after: JsonObject): Difference[] {
  return namesIn(before, after).flatMap((name) => {
    const place = { rule, member: member === '' ? name : `${member}.${name}` };
    const [old, now] = [before[name], after[name]];
    if (isObject(old) && isObject(now)) return schemaDifferences(place, old, now);
    return [{ ...place, what: 'the member', before: old, after: now }].filter(isDifferent);
  });
}

function isDifferent({ before, after }: Difference): boolean {
  return !areSame(before, after);
}
