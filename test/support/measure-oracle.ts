import type { JsonValue } from '../../src/events/customer-event';
import { oracle } from './rule-oracle';
import type { Rule } from '../../src/segments/rules/rule';

const UNIT_MS = { d: 86_400_000, h: 3_600_000 };

/** An event as a client sent it. */
export interface SentEvent {
  readonly event: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, JsonValue>>;
}

/** What docs/segments.md says a rule sees of all events of a person, said plainly: in hundredths, so that sums are exact. */
export function measuredBy(rule: Rule, events: readonly SentEvent[], nowMs: number): JsonValue | undefined {
  const within = rule.within ?? '';
  const unitMs = UNIT_MS[within.at(-1) as 'd' | 'h'];
  const first = Math.floor(nowMs / unitMs) - Number.parseInt(within, 10);
  const counted = events.filter(
    ({ event, timestamp, properties }) =>
      event === rule.event &&
      Math.floor(Date.parse(timestamp) / unitMs) >= first &&
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

/** Of several the one that comes last. */
function mostFrequent(values: readonly JsonValue[]): JsonValue | undefined {
  const countOf = (value: JsonValue): number => values.filter((each) => each === value).length;
  return values.findLast((value) => values.every((other) => countOf(other) <= countOf(value)));
}

/** Whether the rule holds of them. */
export function holdsOf(rule: Rule, events: readonly SentEvent[], nowMs: number): boolean {
  return oracle(rule.operator, measuredBy(rule, events, nowMs), rule.value ?? null);
}
