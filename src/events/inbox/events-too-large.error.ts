/** The events, or what they are about, have more bytes than a transaction may have: take them in parts. */
export class EventsTooLargeError extends Error {}
