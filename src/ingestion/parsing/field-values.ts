import { plainNumber } from '../../events/exact-json';
import { parseTimestamp } from '../../events/parse-timestamp';

/** Any JSON object, its members not yet looked at. */
export type Fields = Record<string, unknown>;

/** A time as a client sent it. */
export interface SentTime {
  readonly text: string;
  readonly ms: number;
}

/** Texts that are what is left of a missing value, not anybody's id. */
const NOBODY = /^(?:\s*|null|undefined|nan|none|\[object object\]|00000000-0000-0000-0000-000000000000)$/i;
const NOBODY_MAX_LENGTH = 36;

/** Members that are missing, null or empty are all the same to SDKs. */
export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/**
 * An id as text; undefined when absent, and what cannot be an id as it is. A number beyond 2^53 has lost digits on its
 * way and is no id any more.
 */
export function idText(sent: unknown): unknown {
  const value = plainNumber(sent);
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'number') return value;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
}

/** Whether an id is none: many people share it, and merging them all would be worse than knowing none of them. */
export function isNobody(id: string): boolean {
  return (id.length <= NOBODY_MAX_LENGTH || id.trim() === '') && NOBODY.test(id);
}

/** A text that says a time, or undefined. */
export function readTime(value: unknown): SentTime | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = parseTimestamp(value);
  return ms === undefined ? undefined : { text: value, ms };
}

/** Whether a text has at most so many bytes in UTF-8. */
export function fitsBytes(maxBytes: number, text: string): boolean {
  // At most 3 bytes per UTF-16 unit, so short texts need no counting.
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}
