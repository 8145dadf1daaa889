import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { parseExactly } from '../../events/exact-json';
import { timeOfId } from '../../events/partitions/partition-plan';
import type { HookRequest } from '../requests/hook-turns';

/**
 * The events that a transformation has made of a request. Where it does not say, an event happened when the request was
 * received, and its `messageId` is made of what the sender calls the request, so that the request counts once however
 * often it is sent.
 * @param json an event, a list of them, or null
 */
export function makeEvents(request: HookRequest, json: string): unknown[] {
  const result = parseExactly(json);
  if (result === null) return [];
  return (Array.isArray(result) ? (result as unknown[]) : [result]).map((event, index) =>
    isJsonObject(event) ? complete(event, request, index) : event,
  );
}

function complete(event: JsonObject, { id, sentId }: HookRequest, index: number): JsonObject {
  return {
    ...event,
    messageId: event.messageId ?? `hook-${sentId ?? id}-${index}`,
    timestamp: event.timestamp ?? event.originalTimestamp ?? new Date(timeOfId(id)).toISOString(),
  };
}
