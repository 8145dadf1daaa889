import type { Subject } from '../../events/customer-event';

/** A person entered or left a segment. */
export interface MembershipChange {
  readonly segmentId: string;
  readonly segmentName: string;
  readonly subject: Subject;
  readonly change: 'entered' | 'exited';
  /** ISO 8601. */
  readonly at: string;
}
