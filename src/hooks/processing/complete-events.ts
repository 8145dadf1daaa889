import type { JsonObject } from '../../events/customer-event';
import { parseExactly } from '../../events/exact-json';
import { timeOfId } from '../../events/partitions/partition-plan';
import type { HookRequest } from '../requests/hook-leases';

/**
 * The events that a transformation has made of a request, with what each needs. Where it does not say, an event
 * happened when the request was received, and its `messageId` is made of what the sender calls the request, so that the
 * request counts once however often it is sent.
 * @param events each as JSON
 */
export function completeEvents(request: HookRequest, events: readonly string[]): JsonObject[] {
  return events.map((json, index) => complete(parseExactly(json) as JsonObject, request, index));
}

function complete(event: JsonObject, { id, sentId }: HookRequest, index: number): JsonObject {
  return {
    ...event,
    messageId: event.messageId ?? `hook-${sentId ?? id}-${index}`,
    timestamp: event.timestamp ?? event.originalTimestamp ?? new Date(timeOfId(id)).toISOString(),
  };
}
