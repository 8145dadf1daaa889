import { type CustomerEvent, isJsonObject, type JsonValue } from '../../events/customer-event';
import { reservedTrait } from './reserved-traits';

/**
 * What an event says about the person: `context.traits` of any event, and over them `traits` of an identify.
 * `null` unsets. The traits of a group event are the group's, not the person's.
 */
export function personTraits(event: CustomerEvent): Map<string, JsonValue> {
  const traits = new Map<string, JsonValue>();
  addTraits(traits, event.context?.traits);
  if (event.type === 'identify') addTraits(traits, event.traits);
  return traits;
}

function addTraits(traits: Map<string, JsonValue>, given: JsonValue | undefined): void {
  if (!isJsonObject(given)) return;
  for (const [key, value] of Object.entries(given)) {
    const kept = reservedTrait(key, value);
    if (kept !== undefined) traits.set(key, kept);
  }
}
