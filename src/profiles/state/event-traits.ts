import { type CustomerEvent, isJsonObject, type JsonValue } from '../../events/customer-event';
import { reservedTrait } from './reserved-traits';

const NO_TRAITS: ReadonlyMap<string, JsonValue> = new Map();

/**
 * What an event says about the person: `context.traits` of any event, and over them `traits` of an identify.
 * `null` unsets. The traits of a group event are the group's, not the person's.
 */
export function personTraits(event: CustomerEvent): ReadonlyMap<string, JsonValue> {
  const ofContext = event.context?.traits;
  const ofIdentify = event.type === 'identify' ? event.traits : undefined;
  if (ofContext === undefined && ofIdentify === undefined) return NO_TRAITS;
  const traits = new Map<string, JsonValue>();
  addTraits(traits, ofContext);
  addTraits(traits, ofIdentify);
  return traits;
}

function addTraits(traits: Map<string, JsonValue>, given: JsonValue | undefined): void {
  if (!isJsonObject(given)) return;
  for (const [key, value] of Object.entries(given)) {
    const kept = reservedTrait(key, value);
    if (kept !== undefined) traits.set(key, kept);
  }
}
