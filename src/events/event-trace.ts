/** The spans that brought events here. Beside the events, not in them: their members are those of the customer. */
const traceparents = new WeakMap<object, string>();
/** Most processes never trace an event: they shall not look for one a thousand times a transaction. */
let used = false;

/** Remembers the W3C `traceparent` of the span that the event's further way belongs to. */
export function traceEvent(event: object, traceparent: string): void {
  used = true;
  traceparents.set(event, traceparent);
}

/** What was remembered; undefined for an event that is not traced. */
export function traceparentOf(event: object): string | undefined {
  return used ? traceparents.get(event) : undefined;
}
