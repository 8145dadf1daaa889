import type { OutboundEvent } from '../../connectors/connector';
import type { MapEvent } from '../../destinations/mapping/compile-mapping';

/** An event as its destination gets it, alone or in a batch: what has to hold of all that is sent stands here. */
export function mappedEvent(event: OutboundEvent, mapEvent: MapEvent | undefined): OutboundEvent {
  if (mapEvent === undefined) return event;
  const { deliveryId, eventType, sourceId, body } = event;
  return { deliveryId, eventType, sourceId, body: mapEvent(body, eventType) };
}
