import type { EventType, JsonObject } from '../../events/customer-event';

/** What becomes of an event that is not as planned; the later one wins where several are. */
export const ACTIONS = ['observe', 'omit', 'quarantine', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

/** What becomes of what no rule plans. */
export const UNPLANNED_ACTIONS = ['allow', ...ACTIONS] as const;
export type UnplannedAction = (typeof UNPLANNED_ACTIONS)[number];

/** What events of one type and name look like. */
export interface PlanRule {
  readonly type: EventType;
  /** Name of the track, page or screen; left out, it is for those that have no rule of their own. */
  readonly event?: string;
  /** JSON Schema 2020-12 of the whole event as it is kept; see `inspect-schema.ts`. */
  readonly schema: JsonObject;
  readonly onViolation: Action;
  /** Instead of the plan's. */
  readonly unplannedProperties?: UnplannedAction;
}

/** What a rule is called, which no other rule of its plan is: its type and the name of its events. */
export function labelOf(type: EventType, name: string | undefined): string {
  return name === undefined ? type : `${type} ${name}`;
}

/** What a tracking plan says, every member filled in. */
export interface PlanContent {
  readonly rules: readonly PlanRule[];
  readonly unplannedEvents: UnplannedAction;
  readonly unplannedProperties: UnplannedAction;
}

/** The ways an event can differ from its plan. Stable: clients and dashboards count them. */
export type ViolationCode = 'schema_violation' | 'unplanned_event' | 'unplanned_property';

/** One thing in which an event differs from its plan. It holds names, and no values of the event. */
export interface Violation {
  /** The rule, as `track Order Completed`; of an unplanned event the one that there would be. */
  readonly rule: string;
  /** The member, as `properties.products[3].price`; empty for the event as a whole. */
  readonly path: string;
  readonly code: ViolationCode;
  /** Of JSON Schema; undefined where no schema speaks. */
  readonly keyword?: string;
  /** For people. */
  readonly message: string;
}

/** What a plan says of an event. */
export interface Verdict {
  readonly outcome: 'pass' | Action;
  /** The first {@link MAX_VIOLATIONS}. */
  readonly violations: readonly Violation[];
  /** What is to be omitted, as names from the event on; for `omitMembers`. */
  readonly targets: readonly (readonly string[])[];
  /** The same as paths: the first {@link MAX_OMITTED_NAMED}. */
  readonly omitted: readonly string[];
}

/** A violation with its place in the event. */
export interface Finding extends Violation {
  readonly action: Action;
  /** The members that are omitted for it, as names from the event on; none where nothing can be. */
  readonly targets: readonly (readonly string[])[];
}

/** Where members of an event stand that people define. */
export const FREE_MEMBERS = ['properties', 'traits'] as const;
export type FreeMember = (typeof FREE_MEMBERS)[number];

/** Kept of each event. */
export const MAX_VIOLATIONS = 20;
export const MAX_OMITTED_NAMED = 100;
