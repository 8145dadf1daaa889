import { asStorable } from './any-event';
import { uuidv7 } from 'uuidv7';
import type { TrackEvent } from '../../src/events/customer-event';
import type { StorableEvent } from '../../src/events/event-store';

const SOURCE_ID = '00000000-0000-7000-8000-000000000001';

/** An accepted event with plausible members. */
export function anEvent(members: Partial<TrackEvent> = {}): TrackEvent {
  const id = uuidv7();
  const now = new Date().toISOString();
  return {
    id,
    sourceId: SOURCE_ID,
    subject: 'u:ada',
    type: 'track',
    event: 'Order Completed',
    userId: 'ada',
    messageId: `m-${id}`,
    timestamp: now,
    receivedAt: now,
    properties: { total: 12.5 },
    ...members,
  };
}

/** The event as `EventStore.store` takes it. */
export function storable(event: TrackEvent): StorableEvent {
  return asStorable(event);
}
