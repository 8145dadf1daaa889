import type { EventType, JsonValue } from '../../events/customer-event';
import type { EventCondition } from '../../language/event-condition';
import type { Match, Operator } from '../../language/operators';

/** Which events a destination gets, as a client writes it. What is left out restricts nothing; all parts must hold. */
export interface Filter {
  readonly types?: readonly EventType[];
  /** Names of events (of a track, page or screen; else the type); `*` stands for any characters. */
  readonly events?: readonly string[];
  /** Whether all (default) or any of the conditions must hold. */
  readonly match?: Match;
  /** `field` is a dotted path into the event; the operators are those of segments. */
  readonly conditions?: readonly {
    readonly field: string;
    readonly operator: Operator;
    readonly value?: JsonValue;
  }[];
  /** Ids of segments: only events of people in at least one of them, as they are once the event is processed. */
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
