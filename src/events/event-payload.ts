import type { CustomerEvent } from './customer-event';

/** Beside the members of the event, which are those of the customer: no copy of them has it. */
const PAYLOAD = Symbol('payload');

interface WithPayload {
  readonly [PAYLOAD]?: string;
}

/** Notes the JSON text that an event was read from. */
export function notePayload(event: CustomerEvent, payload: string): CustomerEvent {
  return Object.defineProperty(event, PAYLOAD, { value: payload });
}

/** The JSON text of the event, as it is delivered; undefined where it is not at hand. */
export function payloadOf(event: object): string | undefined {
  return (event as WithPayload)[PAYLOAD];
}
