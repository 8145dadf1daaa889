import type { JsonValue } from '../../src/events/customer-event';
import { oracle } from './rule-oracle';
import type { Rule } from '../../src/segments/rules/rule';

const DAY_MS = 86_400_000;
const UNIT_MS = { d: DAY_MS, h: 3_600_000 };
/** A service keeps events for a day more, unless told. */
const KEPT_DAYS = 364;

/** What a rule says of when its events are. */
type When = Pick<Rule, 'within' | 'from' | 'to'>;

/** An event as a client sent it. */
export interface SentEvent {
  readonly event: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, JsonValue>>;
}

/** Whether an event of this time is in the window or the range of a rule. */
export function isInWindow({ within, from, to }: When, ms: number, nowMs: number): boolean {
  const [count, unitMs] =
    within === undefined
      ? [KEPT_DAYS, DAY_MS]
      : [Number.parseInt(within, 10), UNIT_MS[within.at(-1) as 'd' | 'h']];
  return (
    Math.floor(ms / unitMs) >= Math.floor(nowMs / unitMs) - count &&
    (from === undefined || ms >= Date.parse(from)) &&
    (to === undefined || ms < Date.parse(to))
  );
}

/** When an event of this time leaves it, if it was in it. */
export function leavesAt({ within = `${KEPT_DAYS}d` }: When, ms: number): number {
  const unitMs = UNIT_MS[within.at(-1) as 'd' | 'h'];
  return (Math.floor(ms / unitMs) + Number.parseInt(within, 10) + 1) * unitMs;
}

/** What docs/segments.md says a rule sees of all events of a person, said plainly: in hundredths, so that sums are exact. */
export function measuredBy(rule: Rule, events: readonly SentEvent[], nowMs: number): JsonValue | undefined {
  const counted = events.filter(
    ({ event, timestamp, properties }) =>
      event === rule.event &&
      isInWindow(rule, Date.parse(timestamp), nowMs) &&
      (rule.where ?? []).every(({ field, operator, value }) =>
        oracle(operator, properties[field.replace('properties.', '')], value ?? null),
      ),
  );
  const values = counted.map(({ properties }) => properties[String(rule.of).replace('properties.', '')]);
  const scalarsByTime = counted
    .toSorted((left, right) => Date.parse(left.timestamp) - Date.parse(right.timestamp))
    .map(({ properties }) => properties[String(rule.of).replace('properties.', '')])
    .filter((value) => value !== undefined && value !== null && typeof value !== 'object');
  const hundredths = values
    .filter((value) => typeof value === 'number')
    .map((value) => Math.round(value * 100));
  const sum = hundredths.reduce((total, value) => total + value, 0);
  switch (rule.aggregate ?? 'count') {
    case 'count':
      return counted.length;
    case 'unique':
      return new Set(
        values.filter((value) => value !== null && value !== undefined).map((value) => JSON.stringify(value)),
      ).size;
    case 'sum':
      return sum / 100;
    case 'min':
      return hundredths.length === 0 ? undefined : Math.min(...hundredths) / 100;
    case 'max':
      return hundredths.length === 0 ? undefined : Math.max(...hundredths) / 100;
    case 'avg':
      return hundredths.length === 0 ? undefined : sum / hundredths.length / 100;
    case 'first':
      return scalarsByTime[0];
    case 'last':
      return scalarsByTime.at(-1);
    case 'most_frequent':
      return mostFrequent(scalarsByTime);
  }
}

/** Whether an event is one of those that a rule counts: of values, it has one. */
export function countsFor(rule: Rule, event: SentEvent, nowMs: number): boolean {
  const { aggregate: given = 'count' } = rule;
  // The sum of nothing is 0, as that of some numbers may be.
  const aggregate = given === 'sum' ? 'max' : given;
  const value = measuredBy({ ...rule, aggregate }, [event], nowMs);
  return aggregate === 'count' || aggregate === 'unique' ? value === 1 : value !== undefined;
}

/** Of several the one that comes last. */
function mostFrequent(values: readonly JsonValue[]): JsonValue | undefined {
  const counts = new Map<JsonValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return values.findLast((value) => counts.get(value) === most);
}

/** Whether the rule holds of them. */
export function holdsOf(rule: Rule, events: readonly SentEvent[], nowMs: number): boolean {
  return oracle(rule.operator, measuredBy(rule, events, nowMs), rule.value ?? null);
}
