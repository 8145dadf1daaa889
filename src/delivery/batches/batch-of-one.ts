import type { OutboundBatch, OutboundEvent } from '../../connectors/connector';
import type { MapEvent } from '../../destinations/mapping/compile-mapping';
import { mappedEvent } from '../sending/mapped-event';

/** As a batch says it: `2026-11-20T16`. */
export function hourOf(time: Date): string {
  return time.toISOString().slice(0, '2026-11-20T16'.length);
}

/** A sample that nobody sent, as a batch. */
export function batchOfOne(event: OutboundEvent, mapEvent: MapEvent | undefined): OutboundBatch {
  return {
    id: event.deliveryId,
    sourceId: 'test',
    hour: hourOf(new Date()),
    eventCount: 1,
    events: async function* () {
      yield mappedEvent(event, mapEvent);
    },
  };
}
