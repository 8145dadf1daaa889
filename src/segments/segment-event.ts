import type { JsonObject } from '../events/customer-event';
import type { MembershipChange } from './membership-change';

export const SEGMENT_ENTERED = 'Segment Entered';
export const SEGMENT_EXITED = 'Segment Exited';

/** What the service adds to a change of membership to make an event of it. */
export interface SegmentEventIds {
  /** The id of the event, which is its messageId too: the service itself is the source. */
  readonly id: string;
  /** ISO 8601. */
  readonly receivedAt: string;
}

/**
 * A change of membership as a track event, as destinations get it: about the user or the anonymous visitor, with
 * `segment_id` and `segment_name` among its properties. It is delivered, never ingested.
 */
export function segmentEvent(change: MembershipChange, { id, receivedAt }: SegmentEventIds): JsonObject {
  return {
    type: 'track',
    event: change.change === 'entered' ? SEGMENT_ENTERED : SEGMENT_EXITED,
    ...idsOf(change),
    messageId: id,
    timestamp: change.at,
    receivedAt,
    properties: { segment_id: change.segmentId, segment_name: change.segmentName },
  };
}

function idsOf({ subject }: MembershipChange): JsonObject {
  const id = subject.slice(2);
  if (subject.startsWith('u:')) return { userId: id };
  return subject.startsWith('a:') ? { anonymousId: id } : { groupId: id };
}
