import { randomBytes } from 'node:crypto';
import type { JsonValue } from './customer-event';

/**
 * Stands before the text of a number that is carried through JavaScript as a string. Random, so that no client can
 * send a string that becomes a number.
 */
const MARK = `number-${randomBytes(12).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/**
 * A number whose digits a double may not keep: -0, a zero at the end of a fraction, an exponent, more than 15 digits.
 * It also finds what looks like one inside a string, which costs time and does no harm. It looks for numbers behind
 * the characters that stand before them, which is what takes least: 0.5 µs for an event of 600 bytes.
 */
const SUSPICIOUS_NUMBER = /[:,[]\s*(?:-0|-?\d+\.\d*0[\s,}\]]|-?\d[\d.]*[eE]|-?[\d.]{16})/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BEFORE_COLON = /\s*:/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/**
 * Like `JSON.parse`, but a number that would not be written again as it was sent (`9007199254740993`, `1.0`, `-0`) is
 * a string that {@link stringifyExactly} turns back. Use {@link plainNumber} before looking at such a value. Numbers
 * beyond the range of a double are left to `JSON.parse`: nothing behind could calculate with them.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return readExactly(text).value;
}

/** As {@link parseExactly}, for whoever would look for kept numbers in vain. @throws SyntaxError */
export function readExactly(text: string): ExactJson {
  const mayKeepNumbers = SUSPICIOUS_NUMBER.test(text);
  return { value: JSON.parse(mayKeepNumbers ? markNumbers(text) : text), mayKeepNumbers };
}

/** What a text says. */
export interface ExactJson {
  readonly value: unknown;
  /** Whether there may be a number in it that is kept as it was sent. */
  readonly mayKeepNumbers: boolean;
}

/**
 * A value that {@link parseExactly} has read, as `JSON.parse` would have read it; what holds no such number is not
 * copied.
 */
export function withPlainNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return plainNumber(value);
  let copy: Record<string, unknown> | unknown[] | undefined;
  for (const [name, member] of Object.entries(value)) {
    const plain = withPlainNumbers(member);
    if (plain === member) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    (copy as Record<string, unknown>)[name] = plain;
  }
  return copy ?? value;
}

/** Like `JSON.stringify`, with the numbers that {@link parseExactly} kept as they were sent. */
export function stringifyExactly(value: JsonValue | object): string {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/** A value that {@link parseExactly} has read, as `JSON.parse` would have read it, unless it is an object or array. */
export function plainNumber(value: unknown): unknown {
  return isKeptNumber(value) ? Number(value.slice(MARK.length)) : value;
}

/** Whether a value stands for a number, although it is a string. */
export function isKeptNumber(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** Valid JSON stays valid and invalid JSON invalid: only what is a whole number, and not a member's name, is marked. */
function markNumbers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === MINUS || (code >= DIGIT_0 && code <= DIGIT_9)) {
      const number = matchAt(NUMBER, text, at);
      const end = at + number.length;
      if (losesDigits(number) && matchAt(BEFORE_COLON, text, end) === '') {
        parts.push(text.slice(from, at), `"${MARK}${number}"`);
        from = end;
      }
      at = Math.max(at, end - 1);
    }
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function losesDigits(number: string): boolean {
  const value = Number(number);
  return number !== '' && Number.isFinite(value) && String(value) !== number;
}

/** Where the string ends that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end;
  }
  return text.length;
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}
