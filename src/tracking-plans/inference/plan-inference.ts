import { setImmediate as nextTurn } from 'node:timers/promises';
import { EVENT_TYPES, type EventType, type JsonObject } from '../../events/customer-event';
import { isStorable } from '../../platform/http/input/find-unstorable';
import { nameOf } from '../language/check-event';
import { countValues } from '../language/compile-rule';
import {
  MAX_CHECKS,
  MAX_COST,
  MAX_COST_OF_EACH,
  MAX_EVENT_NAME_BYTES,
  MAX_PLAN_BYTES,
  MAX_PLAN_RULES,
} from '../language/limits';
import { labelOf, type PlanContent, type PlanRule } from '../language/plan';
import { costOf } from '../language/schema-cost';
import { type InferenceBudget, type Detail, ObservedValue } from './observed-value';

/** What a rule describes of an event: the rest differs between SDKs, and not between events. */
const DESCRIBED = ['userId', 'properties', 'traits'] as const;

/** From much to little: the first one counts that is cheap enough to be checked. */
const DETAILS: readonly Detail[] = [
  { levels: 8, elements: true, choices: true },
  { levels: 8, elements: true, choices: false },
  { levels: 3, elements: true, choices: false },
  { levels: 8, elements: false, choices: false },
  { levels: 2, elements: false, choices: false },
  { levels: 0, elements: false, choices: false },
];
/** Over all rules: some 50 MB. */
const MAX_OBSERVED = 50_000;
/** Of the names of events as JSON, so that the plan has room for more than names. */
const MAX_NAMES_BYTES = MAX_PLAN_BYTES / 4;

interface Kind {
  readonly type: EventType;
  readonly event: string | undefined;
  readonly members: ReadonlyMap<string, ObservedValue>;
  count: number;
  /** Of the event with most. */
  values: number;
}

/** Learns a plan from events, one after the other, in bounded memory. */
export class PlanInference {
  private readonly kinds = new Map<string, Kind>();
  private readonly budget: InferenceBudget = { left: MAX_OBSERVED };
  private namesBytes = 0;
  private hasUnplanned = false;

  /** @param event as it is kept, with numbers as numbers */
  observe(event: JsonObject): void {
    const kind = this.kindOf(event);
    if (kind === undefined) return;
    kind.count += 1;
    kind.values = Math.max(kind.values, countValues(event));
    for (const [name, observed] of kind.members) {
      const value = event[name];
      if (value !== undefined) observed.observe(value);
    }
  }

  /**
   * A plan that every event passes that was observed. What came often comes first. Between two rules the process does
   * other work.
   */
  async toPlan(): Promise<PlanContent> {
    const kinds = [...this.kinds.values()].toSorted((left, right) => right.count - left.count);
    let rules: PlanRule[] | undefined;
    for (let least = 0; rules === undefined && least < DETAILS.length; least += 1) {
      rules = await rulesWithin(MAX_PLAN_BYTES, kinds, least);
    }
    const unplannedEvents = this.hasUnplanned || rules === undefined ? 'allow' : 'observe';
    return { rules: rules ?? [], unplannedEvents, unplannedProperties: 'observe' };
  }

  /** Undefined for what gets no rule. */
  private kindOf(event: JsonObject): Kind | undefined {
    const type = EVENT_TYPES.find((known) => known === event.type);
    if (type === undefined) return undefined;
    const name = nameOf(event);
    const known = this.kinds.get(labelOf(type, name));
    if (known !== undefined) return known;
    if (name !== undefined && this.hasRoomFor(name)) return this.addKind(type, name);
    if (type !== 'track') return this.kinds.get(type) ?? this.addKind(type, undefined);
    this.hasUnplanned = true;
    return undefined;
  }

  private hasRoomFor(name: string): boolean {
    const fits = name !== '' && Buffer.byteLength(name) <= MAX_EVENT_NAME_BYTES && isStorable(name);
    // There is always room for one rule of each type.
    if (!fits || this.kinds.size >= MAX_PLAN_RULES - EVENT_TYPES.length) return false;
    this.namesBytes += Buffer.byteLength(JSON.stringify(name));
    return this.namesBytes <= MAX_NAMES_BYTES;
  }

  private addKind(type: EventType, event: string | undefined): Kind {
    const members = new Map(DESCRIBED.map((name) => [name, new ObservedValue(this.budget)]));
    const kind = { type, event, members, count: 0, values: 0 };
    this.kinds.set(labelOf(type, event), kind);
    return kind;
  }
}

/** Undefined when they are larger than a plan may be. */
async function rulesWithin(
  maxBytes: number,
  kinds: readonly Kind[],
  least: number,
): Promise<PlanRule[] | undefined> {
  const rules: PlanRule[] = [];
  let bytes = 2;
  for (const kind of kinds) {
    const rule = ruleOf(kind, least);
    bytes += Buffer.byteLength(JSON.stringify(rule)) + 1;
    if (bytes > maxBytes) return undefined;
    rules.push(rule);
    await nextTurn();
  }
  return rules;
}

/** @param least the first detail to try */
function ruleOf(kind: Kind, least: number): PlanRule {
  const { type, event } = kind;
  const schema = DETAILS.slice(least)
    .map((detail) => schemaOf(kind, detail))
    .find((one) => isCheap(one, kind.values));
  return { type, ...(event === undefined ? {} : { event }), schema: schema ?? {}, onViolation: 'observe' };
}

function schemaOf({ members, count }: Kind, detail: Detail): JsonObject {
  const seen = [...members].filter(([, observed]) => observed.seen > 0);
  const required = seen.filter(([, observed]) => observed.seen === count).map(([name]) => name);
  return {
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      seen.map(([name, observed]) => [
        name,
        // Whose an event is, is no choice.
        observed.toSchema(name === 'userId' ? { ...detail, choices: false } : detail),
      ]),
    ),
  };
}

function isCheap(schema: JsonObject, values: number): boolean {
  const { total, ofEach } = costOf(schema);
  return total <= MAX_COST && ofEach <= MAX_COST_OF_EACH && ofEach * values <= MAX_CHECKS;
}
