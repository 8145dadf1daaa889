/** The ways an event can be wrong. Stable: clients and dashboards count them. */
export type EventProblemCode =
  | 'not_an_object'
  | 'missing_type'
  | 'unknown_type'
  | 'missing_message_id'
  | 'invalid_message_id'
  | 'missing_timestamp'
  | 'invalid_timestamp'
  | 'missing_event_name'
  | 'invalid_event_name'
  | 'missing_identity'
  | 'missing_user_id'
  | 'missing_group_id'
  | 'missing_previous_id'
  | 'invalid_id'
  | 'invalid_name'
  | 'invalid_category'
  | 'invalid_properties'
  | 'invalid_traits'
  | 'invalid_context'
  | 'event_too_large'
  | 'event_too_deep'
  | 'event_not_storable';

/** One thing that is wrong with one event. */
export interface EventProblem {
  readonly code: EventProblemCode;
  /** The member, e.g. `timestamp`; empty for the event as a whole. */
  readonly path: string;
  /** For people; says what to do. */
  readonly message: string;
}
