import type { EventCondition } from '../../language/event-condition';
import { type CustomerEvent, eventName, type JsonValue } from '../../events/customer-event';
import { stringifyExactly } from '../../events/exact-json';
import { compileOperator } from '../../language/compile-operator';
import type { Comparand } from '../../language/comparand';
import { compileNamePattern } from './name-pattern';
import { type PersonOfEvent, valueSeen } from './person-of-event';
import type { Route } from './routing-table';

/** A condition that does not hold. */
interface UnmetCondition {
  /** A dotted path into the event, or `computed.<name>` of its person. */
  readonly field: string;
  readonly operator: string;
  /** What it asks for; undefined with operators that ask for none. */
  readonly value: JsonValue | undefined;
  /** What the event, or the person now, has there; undefined is nothing. */
  readonly seen: JsonValue | undefined;
}

/** A part of what a destination asks for that an event does not have. */
interface UnmetPart {
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
  person: PersonOfEvent,
  nowMs: number,
): UnmetPart[] {
  const { types, events, segments: wanted, match = 'all', conditions = [] } = filter ?? {};
  const unmet: UnmetPart[] = [];
  if (sources?.includes(event.sourceId) === false) unmet.push({ part: 'sources' });
  if (types?.includes(event.type) === false) unmet.push({ part: 'types' });
  if (events?.some((pattern) => compileNamePattern(pattern)(eventName(event))) === false)
    unmet.push({ part: 'events' });
  const seen = ({ path }: EventCondition): JsonValue | undefined => valueSeen(event, person, path);
  const failing = conditions.filter((condition) => !holds(condition, seen(condition), nowMs));
  const isMet = match === 'all' ? failing.length === 0 : failing.length < conditions.length;
  if (!isMet && conditions.length > 0) {
    unmet.push({
      part: 'conditions',
      conditions: failing.map((condition) => describe(condition, seen(condition))),
    });
  }
  if (wanted?.some((id) => person.segments.has(id)) === false) unmet.push({ part: 'segments' });
  return unmet;
}

function holds({ operator, comparand }: EventCondition, seen: JsonValue | undefined, nowMs: number): boolean {
  return compileOperator(operator, comparand)(seen, nowMs);
}

function describe(
  { path, operator, comparand }: EventCondition,
  seen: JsonValue | undefined,
): UnmetCondition {
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
