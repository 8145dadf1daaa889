import { valueAt } from '../../events/event-path';
import type { EventCondition } from '../../language/event-condition';
import { type CustomerEvent, eventName, type JsonObject, type JsonValue } from '../../events/customer-event';
import { stringifyExactly } from '../../events/exact-json';
import { compileOperator } from '../../language/compile-operator';
import type { Comparand } from '../../language/comparand';
import type { SegmentsOfPerson } from './condition-memo';
import { compileNamePattern } from './name-pattern';
import type { Route } from './routing-table';

/** A condition that does not hold. */
export interface UnmetCondition {
  /** A dotted path into the event. */
  readonly field: string;
  readonly operator: string;
  /** What it asks for; undefined with operators that ask for none. */
  readonly value: JsonValue | undefined;
  /** What the event has there; undefined is nothing. */
  readonly seen: JsonValue | undefined;
}

/** A part of what a destination asks for that an event does not have. */
export interface UnmetPart {
  readonly part: 'sources' | 'types' | 'events' | 'conditions' | 'segments';
  readonly conditions?: readonly UnmetCondition[];
}

/**
 * Why a destination does not get an event, in the order in which people write filters; nothing when it does.
 * `RoutingTable` decides the same for all destinations at once, and its test holds the two together.
 */
export function explainRoute(
  { sources, filter }: Pick<Route<unknown>, 'sources' | 'filter'>,
  event: CustomerEvent,
  segments: SegmentsOfPerson,
  nowMs: number,
): UnmetPart[] {
  const { types, events, segments: wanted, match = 'all', conditions = [] } = filter ?? {};
  const unmet: UnmetPart[] = [];
  if (sources?.includes(event.sourceId) === false) unmet.push({ part: 'sources' });
  if (types?.includes(event.type) === false) unmet.push({ part: 'types' });
  if (events?.some((pattern) => compileNamePattern(pattern)(eventName(event))) === false)
    unmet.push({ part: 'events' });
  const failing = conditions.filter((condition) => !holds(condition, event, nowMs));
  const isMet = match === 'all' ? failing.length === 0 : failing.length < conditions.length;
  if (!isMet && conditions.length > 0) {
    unmet.push({ part: 'conditions', conditions: failing.map((condition) => describe(condition, event)) });
  }
  if (wanted?.some((id) => segments.has(id)) === false) unmet.push({ part: 'segments' });
  return unmet;
}

function holds({ path, operator, comparand }: EventCondition, event: CustomerEvent, nowMs: number): boolean {
  return compileOperator(operator, comparand)(seenAt(path, event), nowMs);
}

function seenAt(path: EventCondition['path'], event: CustomerEvent): JsonValue | undefined {
  return valueAt(event as unknown as JsonObject, path); // Every member of an event is JSON.
}

function describe(condition: EventCondition, event: CustomerEvent): UnmetCondition {
  const { path, operator, comparand } = condition;
  const seen = seenAt(path, event);
  return {
    field: path.map((step) => step.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.'),
    operator,
    value: askedFor(comparand),
    seen: seen === undefined ? undefined : (JSON.parse(stringifyExactly(seen)) as JsonValue),
  };
}

/** The value as it was written: members of events are compared with no times ago. */
function askedFor(comparand: Comparand): JsonValue | undefined {
  if (comparand.kind === 'list') return [...comparand.values];
  return comparand.kind === 'value' ? comparand.value : undefined;
}
