import type { JsonValue, Subject } from '../../events/customer-event';

/** A person entered or left a segment. */
export interface MembershipChange {
  readonly change: 'entered' | 'exited';
  readonly segmentId: string;
  readonly segmentName: string;
  readonly subject: Subject;
  /** ISO 8601. */
  readonly at: string;
}

/** A computed trait of a person has another value. Null is none. */
export interface TraitChange {
  readonly change: 'changed';
  /** Its name. */
  readonly trait: string;
  readonly subject: Subject;
  readonly value: JsonValue;
  readonly previous: JsonValue;
  /** ISO 8601. */
  readonly at: string;
}

/** What destinations that ask for it are told of a person. */
export type PersonChange = MembershipChange | TraitChange;
