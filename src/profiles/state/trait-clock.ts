import { createHash } from 'node:crypto';
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
/** A clock is stored with every trait, so of a longer messageId only the beginning is kept, and a hash of the whole. */
const MESSAGE_ID_CHARACTERS = 40;
const HASH_CHARACTERS = 16;
const SOURCE_ID_CHARACTERS = 4;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const AFTER_ALL_UNITS = 0x10000;

/** The clock of the traits that an event carries. */
export function traitClock(event: CustomerEvent): TraitClock {
  return clockOf(event, shortened(event.messageId));
}

/** The same, of the traits of a group. They outlive a deleted person, so they have no messageId. */
export function groupTraitClock(event: CustomerEvent): TraitClock {
  return clockOf(event, hashOf(event.messageId));
}

/** When the event happened that has this clock, in milliseconds since 1970. */
export function clockTimeMs(clock: TraitClock): number {
  return Number.parseInt(clock.slice(0, MS_DIGITS), 36) - MS_OFFSET;
}

function clockOf({ timestamp, sourceId }: CustomerEvent, message: string): TraitClock {
  const time = (Date.parse(timestamp) + MS_OFFSET).toString(36).padStart(MS_DIGITS, '0');
  return `${time}${message}${sourceId.slice(-SOURCE_ID_CHARACTERS)}`;
}

/** Two events of the same millisecond must not have the same clock, or the first to arrive would win. */
function shortened(messageId: string): string {
  if (messageId.length <= MESSAGE_ID_CHARACTERS) return messageId;
  // The cut may go through a character; PostgreSQL takes no half of one.
  const beginning = messageId.slice(0, MESSAGE_ID_CHARACTERS - HASH_CHARACTERS).toWellFormed();
  return `${beginning}${hashOf(messageId)}`;
}

function hashOf(messageId: string): string {
  return createHash('sha256').update(messageId).digest('base64url').slice(0, HASH_CHARACTERS);
}

/**
 * Whether `a` is a later writer than `b`, or there is no `b`: in the order of UTF-8 bytes, which is that of
 * PostgreSQL's collation "C".
 */
export function isLater(a: TraitClock, b: TraitClock | undefined): boolean {
  if (b === undefined) return true;
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return orderOf(a.charCodeAt(at)) > orderOf(b.charCodeAt(at));
}

/**
 * Of a code unit among the code points: those above the Basic Multilingual Plane are written with surrogates. NaN is
 * none.
 */
function orderOf(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + AFTER_ALL_UNITS : unit;
}
