import type { EventType, JsonObject, JsonValue } from '../../events/customer-event';
import type { FreeMember, PlanContent, PlanRule } from '../language/plan';
import { resolveReference } from '../language/resolve-reference';
import { type PlainSchema, toPlainSchema } from './plain-schema';

/** What the plan says of the properties or traits of events of one type. */
interface PlannedMembers {
  /** By the name of the event, in the order of the plan. */
  readonly named: ReadonlyMap<string, PlainSchema>;
  /** Of events without a name, or of which no rule has the name. */
  readonly nameless: PlainSchema | undefined;
}

/** Types of which SDKs take properties or traits, each with which of them. */
export const MEMBER_OF = {
  track: 'properties',
  page: 'properties',
  screen: 'properties',
  identify: 'traits',
  group: 'traits',
} as const satisfies Partial<Record<EventType, FreeMember>>;
export type TypedEventType = keyof typeof MEMBER_OF;

/** What the rules of one type say, or undefined when there are none. */
export function plannedMembers(type: TypedEventType, plan: PlanContent): PlannedMembers | undefined {
  const rules = plan.rules.filter((rule) => rule.type === type);
  if (rules.length === 0) return undefined;
  const named = rules.flatMap((rule): [string, PlainSchema][] =>
    rule.event === undefined ? [] : [[rule.event, memberOf(rule, plan)]],
  );
  const nameless = rules.find(({ event }) => event === undefined);
  return { named: new Map(named), nameless: nameless && memberOf(nameless, plan) };
}

/** The plain schema of an object. */
function memberOf(rule: PlanRule, plan: PlanContent): PlainSchema {
  const member = MEMBER_OF[rule.type as TypedEventType];
  const isClosed = (rule.unplannedProperties ?? plan.unplannedProperties) !== 'allow';
  const { description } = rule.schema;
  const schema = {
    ...(typeof description === 'string' ? { description } : {}),
    allOf: schemasOfMember(rule.schema, member, rule.schema),
  };
  const plain = toPlainSchema(schema, { root: rule.schema, isClosed });
  const saysWhat = Object.keys(plain).some((keyword) => keyword !== 'description');
  return saysWhat ? plain : { ...plain, type: 'object', additionalProperties: true };
}

/** All that must hold of a member of the event, whatever else does. */
function schemasOfMember(schema: JsonValue | undefined, member: FreeMember, root: JsonObject): JsonValue[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const { properties, allOf, $ref: reference } = schema;
  const own =
    typeof properties === 'object' && properties !== null ? (properties as JsonObject)[member] : undefined;
  const others = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...(typeof reference === 'string' ? [resolveReference(reference, root)] : []),
  ];
  const below = others.flatMap((one) => schemasOfMember(one, member, root));
  return own === undefined ? below : [own, ...below];
}
