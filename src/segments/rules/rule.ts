import type { EventType, JsonValue } from '../../events/customer-event';
import type { Match, Operator } from '../../language/operators';
import type { Aggregate } from './measure';

/** One test of one attribute, as a client writes it. `docs/segments.md` says what each operator means. */
export interface Rule {
  /**
   * `event_count`, `first_seen`, `last_seen`, `groups`, `segments`, a trait of the person's groups (`groups.…`), or a
   * trait by name or dotted path (also `traits.…`). Left out where `event` says what is counted.
   */
  readonly field?: string;
  readonly operator: Operator;
  /** Left out for `exists` and `not_exists`. */
  readonly value?: JsonValue;
  /** With `event_count`: count only events of this name: of a track, page or screen; of others the type. */
  readonly event?: string;
  /** With `event_count`: count only events of this type. */
  readonly type?: EventType;
  /** With `event_count`: count only the last days, e.g. `30d`. */
  readonly within?: string;
  /** With `event`, in the place of `within`: only stored events of this time or later, ISO 8601. */
  readonly from?: string;
  /** The same: only stored events before this time. */
  readonly to?: string;
  /** With `event` and `within`, or `from` and `to`: only stored events for which all of these hold. */
  readonly where?: readonly {
    readonly field: string;
    readonly operator: Operator;
    readonly value?: JsonValue;
  }[];
  /** The same: what is made of the events; how many they are, unless said. */
  readonly aggregate?: Aggregate;
  /** Of every aggregate but `count`: a dotted path to a value in the event. */
  readonly of?: string;
}

/** Events of a person one after another, as a client writes it. */
export interface SequenceRule extends Pick<Rule, 'from' | 'to'> {
  readonly sequence: readonly SequenceRuleStep[];
  /** So long from the first of them to the last at most, e.g. `7d`. */
  readonly allWithin?: string;
  /** What does not come `within` a time after the last of them. */
  readonly not?: SequenceRuleStep;
  /** The window that the first of them is in, e.g. `30d`; or `from` and `to` say in which time it is. */
  readonly within?: string;
}

/** One event of a sequence. */
export interface SequenceRuleStep extends Pick<Rule, 'type' | 'where'> {
  readonly event: string;
  /** So long after the step before at most, e.g. `30m`, `36h`, `2d`. */
  readonly within?: string;
}

/** Rules inside rules: `not` turns the verdict of the group around. */
export interface RuleGroup {
  readonly match?: Match;
  readonly not?: boolean;
  readonly rules: readonly RuleNode[];
}

export type RuleNode = Rule | SequenceRule | RuleGroup;
