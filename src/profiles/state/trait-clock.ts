import type { CustomerEvent } from '../../events/customer-event';

/**
 * When a trait was written, as text whose byte order is the order of writers: time of the event, then messageId,
 * then source. It depends on the event alone, so every order of arrival has the same last writer.
 */
export type TraitClock = string;

/** Shifts the range of JavaScript dates (±8.64e15 ms) to positive numbers. */
const MS_OFFSET = 8_640_000_000_000_000;
/** Digits of the largest shifted time in base 36. */
const MS_DIGITS = 11;
/** Enough of a messageId to tell apart those of one millisecond; a clock is stored with every trait. */
const MESSAGE_ID_CHARACTERS = 40;
const SOURCE_ID_CHARACTERS = 4;

/** The clock of the traits that an event carries. */
export function traitClock(event: CustomerEvent): TraitClock {
  const time = (Date.parse(event.timestamp) + MS_OFFSET).toString(36).padStart(MS_DIGITS, '0');
  const messageId = event.messageId.slice(0, MESSAGE_ID_CHARACTERS);
  return `${time}${messageId}${event.sourceId.slice(-SOURCE_ID_CHARACTERS)}`;
}

/** The order of writers: that of the UTF-8 bytes, which is that of PostgreSQL's collation "C". */
export function compareClocks(a: TraitClock, b: TraitClock): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether `a` is a later writer than `b`. */
export function isLater(a: TraitClock, b: TraitClock): boolean {
  return compareClocks(a, b) > 0;
}
