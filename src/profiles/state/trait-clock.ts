import type { CustomerEvent } from '../../events/customer-event';

/**
 * When a trait was written, as ASCII whose order is that of the writers: time of the event, then that of its reception,
 * then its id, by which the events of a batch are in its order. All stay with the event, so the order in which events
 * are processed does not matter.
 */
export type TraitClock = string;

/** Shifts the range of JavaScript dates (±8.64e15 ms) to positive numbers. */
const MS_OFFSET = 8_640_000_000_000_000;
/** Digits of the largest shifted time in base 36. */
const MS_DIGITS = 11;

/** The clock of the traits that an event carries, of a person or of a group. */
export function traitClock({ timestamp, receivedAt, id }: CustomerEvent): TraitClock {
  return `${digitsOf(timestamp)}${digitsOf(receivedAt)}${id}`;
}

function digitsOf(time: string): string {
  return (Date.parse(time) + MS_OFFSET).toString(36).padStart(MS_DIGITS, '0');
}

/** When the event happened that has this clock, in milliseconds since 1970. */
export function clockTimeMs(clock: TraitClock): number {
  return Number.parseInt(clock.slice(0, MS_DIGITS), 36) - MS_OFFSET;
}

/** Whether `a` is a later writer than `b`, or there is no `b`. */
export function isLater(a: TraitClock, b: TraitClock | undefined): boolean {
  return b === undefined || a > b;
}
