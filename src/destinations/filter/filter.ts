import type { EventType, JsonValue } from '../../events/customer-event';
import type { EventCondition } from '../../language/event-condition';
import type { Match, Operator } from '../../language/operators';
import { COMPUTED } from '../../segments/rules/computed-path';

/** Which events a destination gets, as a client writes it. What is left out restricts nothing; all parts must hold. */
export interface Filter {
  readonly types?: readonly EventType[];
  /** Names of events (of a track, page or screen; else the type); `*` stands for any characters. */
  readonly events?: readonly string[];
  /** Whether all (default) or any of the conditions must hold. */
  readonly match?: Match;
  /**
   * `field` is a dotted path into the event, or `computed.<name>` of its person; the operators are those of segments.
   */
  readonly conditions?: readonly {
    readonly field: string;
    readonly operator: Operator;
    readonly value?: JsonValue;
  }[];
  /**
   * Ids of segments: only events of people in at least one of them, as they are once the event is processed (see
   * docs/routing.md).
   */
  readonly segments?: readonly string[];
}

/** A filter, validated. */
export interface ParsedFilter {
  readonly types: readonly EventType[] | undefined;
  readonly events: readonly string[] | undefined;
  readonly match: Match;
  readonly conditions: readonly EventCondition[];
  readonly segments: readonly string[] | undefined;
}

/** The computed trait that a condition is about, by name; undefined for one about the event. */
export function computedTraitOf({ path }: EventCondition): string | undefined {
  return path[0] === COMPUTED ? path[1] : undefined;
}

/** The names of the computed traits that a filter asks about. */
export function computedTraitsOf({ conditions }: ParsedFilter): string[] {
  return [...new Set(conditions.map(computedTraitOf).filter((name) => name !== undefined))];
}
