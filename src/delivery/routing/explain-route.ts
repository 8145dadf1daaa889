import { valueAt } from '../../destinations/event-path';
import type { FilterCondition } from '../../destinations/filter/filter';
import { type CustomerEvent, eventName, type JsonObject } from '../../events/customer-event';
import { compileOperator } from '../../segments/rules/compile-operator';
import type { SegmentsOfPerson } from './condition-memo';
import { compileNamePattern } from './name-pattern';
import type { Route } from './routing-table';

/** A part of what a destination asks for that an event does not have. */
export interface UnmetPart {
  readonly part: 'sources' | 'types' | 'events' | 'conditions' | 'segments';
  /** The conditions that do not hold: a dotted path into the event, and the operator. */
  readonly conditions?: readonly { readonly field: string; readonly operator: string }[];
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
  if (!isMet && conditions.length > 0) unmet.push({ part: 'conditions', conditions: failing.map(nameOf) });
  if (wanted?.some((id) => segments.has(id)) === false) unmet.push({ part: 'segments' });
  return unmet;
}

function holds({ path, operator, comparand }: FilterCondition, event: CustomerEvent, nowMs: number): boolean {
  // Every member of an event is JSON.
  return compileOperator(operator, comparand)(valueAt(event as unknown as JsonObject, path), nowMs);
}

function nameOf({ path, operator }: FilterCondition): { readonly field: string; readonly operator: string } {
  return { field: path.map((step) => step.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.'), operator };
}
