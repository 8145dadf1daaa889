import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type CustomerEvent, eventName } from '../../src/events/customer-event';
import { notePayload } from '../../src/events/event-payload';
import type { StorableEvent } from '../../src/events/event-store';
import { messageKey } from '../../src/events/message-key';
import { subjectOf } from '../../src/events/subject';

const DEFAULTS = {
  type: 'track',
  sourceId: '0190a000-0000-7000-8000-000000000001',
  timestamp: '2026-11-20T12:00:00.000Z',
  receivedAt: '2026-11-20T12:00:00.000Z',
};

/**
 * An accepted event of any type, with its text; its subject follows from its ids. By default a track of the user `somebody`.
 */
export function anyEvent(members: Readonly<Record<string, unknown>> = {}): CustomerEvent {
  const ids = members.userId === undefined && members.anonymousId === undefined ? { userId: 'somebody' } : {};
  const name = (members.type ?? 'track') === 'track' ? { event: 'Visited' } : {};
  const event = { ...DEFAULTS, id: uuidv7(), messageId: randomUUID(), ...name, ...ids, ...members };
  const { id: _id, sourceId: _sourceId, ...payload } = event;
  const read = { ...event, subject: subjectOf(event) } as unknown as CustomerEvent;
  return notePayload(read, JSON.stringify(payload));
}

/** The event as `EventStore.store` takes it. */
export function asStorable(event: CustomerEvent): StorableEvent {
  const { id, sourceId, subject, ...payload } = event;
  const key = messageKey(sourceId, event.messageId);
  return {
    id,
    key,
    sourceId,
    subject,
    type: event.type,
    name: eventName(event),
    timestampMs: Date.parse(event.timestamp),
    payload: Buffer.from(JSON.stringify(payload)),
  };
}
