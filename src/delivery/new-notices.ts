import { uuidv7 } from 'uuidv7';
import type { Notice, ServiceNotice } from '../destinations/destination-notices';
import type { EventType, JsonObject, Subject } from '../events/customer-event';
import { userIdOf } from '../events/subject';
import type { PersonChange } from '../segments/membership/person-change';

/** Something that destinations are told beside the events of people. It is stored with its deliveries only. */
export interface NewNotice {
  readonly kind: Notice;
  /** UUIDv7. */
  readonly id: string;
  readonly subject: Subject;
  /** ISO 8601. */
  readonly timestamp: string;
  /** What it looks like to receivers. */
  readonly type: EventType | 'delete' | 'notice';
  /** The JSON text that is delivered. */
  readonly payload: string;
  /** The computed trait that has another value; see `noticeTraits` of a destination. */
  readonly trait?: string | undefined;
  /** The destination it is about. Others are told: that one may be what cannot be reached. */
  readonly about?: string | undefined;
}

const PERSON_EVENTS = {
  entered: { kind: 'segment_entered', event: 'Segment Entered' },
  exited: { kind: 'segment_exited', event: 'Segment Exited' },
  changed: { kind: 'trait_changed', event: 'Trait Changed' },
} as const;

/** `Segment Entered`, `Segment Exited` or `Trait Changed`, in the form of a track event. */
export function personNotice(changed: PersonChange): NewNotice {
  const { subject, change, at } = changed;
  const { kind, event } = PERSON_EVENTS[change];
  const id = uuidv7();
  const payload = {
    type: 'track',
    event,
    ...whoIs(subject),
    messageId: id,
    timestamp: at,
    receivedAt: at,
    properties: propertiesOf(changed),
  };
  const trait = changed.change === 'changed' ? changed.trait : undefined;
  return { kind, id, subject, timestamp: at, type: 'track', payload: JSON.stringify(payload), trait };
}

function propertiesOf(changed: PersonChange): object {
  if (changed.change === 'changed') {
    const { trait, value, previous } = changed;
    return { trait, value, previous };
  }
  const { segmentId, segmentName } = changed;
  return { segmentId, segmentName };
}

/**
 * The subject of a notice about the service, and of a deletion: no person's, so that deleting the person again does not
 * take the notice back.
 */
const OF_NOBODY: Subject = 'g:delete';

/** Whether a notice is about the service, or a deletion. */
export function isOfNobody({ subject }: Pick<NewNotice, 'subject'>): boolean {
  return subject === OF_NOBODY;
}

/** All ids of a person. */
interface Ids {
  readonly userIds: readonly string[];
  readonly anonymousIds: readonly string[];
}

/**
 * That a person was deleted: receivers should delete what they have under any of the ids. `subject` is the id that the
 * deletion was asked for; that of a visitor who has become a user is one among the others.
 */
export function deletionNotice(subject: Subject, { userIds, anonymousIds }: Ids, at: string): NewNotice {
  const id = uuidv7();
  const [userId] = userIds;
  const isUser = userIdOf(subject) !== undefined || userId === undefined;
  const who = isUser ? whoIs(subject) : { userId };
  const times = { timestamp: at, receivedAt: at };
  const payload = { type: 'delete', ...who, userIds, anonymousIds, messageId: id, ...times };
  return {
    kind: 'delete',
    id,
    subject: OF_NOBODY,
    timestamp: at,
    type: 'delete',
    payload: JSON.stringify(payload),
  };
}

/** Something that operators are to be told of the service itself. */
export interface ServiceFact extends Pick<NewNotice, 'about'> {
  readonly kind: ServiceNotice;
  /** A sentence for people. */
  readonly text: string;
  /** Names no person whose events are kept, and no secret. */
  readonly properties: JsonObject;
}

/** @param at ISO 8601 */
export function serviceNotice({ kind, text, properties, about }: ServiceFact, at: string): NewNotice {
  const id = uuidv7();
  const times = { timestamp: at, receivedAt: at };
  const payload = { type: 'notice', event: kind, messageId: id, ...times, text, properties };
  return {
    kind,
    id,
    subject: OF_NOBODY,
    timestamp: at,
    type: 'notice',
    payload: JSON.stringify(payload),
    about,
  };
}

function whoIs(subject: Subject): { userId: string } | { anonymousId: string } | { groupId: string } {
  const userId = userIdOf(subject);
  if (userId !== undefined) return { userId };
  const id = subject.slice(2);
  return subject.startsWith('a:') ? { anonymousId: id } : { groupId: id };
}
