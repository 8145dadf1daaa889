import { type EventType, EVENT_TYPES, type JsonObject } from '../events/customer-event';
import type { EventProblem, EventProblemCode } from './event-problem';
import { MAX_ID_LENGTH, MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from './limits';
import { parseTimestamp } from './parse-timestamp';

/** Any JSON object, its members not yet looked at. */
export type Fields = Record<string, unknown>;

/** The members of an event that name somebody. */
export type IdMember = 'userId' | 'anonymousId' | 'groupId' | 'previousId';

/** Texts that are what is left of a missing value, not anybody's id. */
const NO_IDENTITY =
  /^(?:\s*|null|undefined|nan|none|\[object object\]|00000000-0000-0000-0000-000000000000)$/i;

/** A time as a client sent it. */
export interface SentTime {
  readonly text: string;
  readonly ms: number;
}

const TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

/** Reads single members of an event and collects what is wrong with them. A bad or missing member is undefined. */
export class EventFields {
  readonly problems: EventProblem[] = [];

  constructor(readonly fields: Fields) {}

  type(): EventType | undefined {
    const { type } = this.fields;
    if (TYPES.has(type)) return type as EventType;
    if (type === undefined || type === null || type === '') {
      return this.problem('missing_type', 'type', `Give the type: one of ${EVENT_TYPES.join(', ')}.`);
    }
    return this.problem('unknown_type', 'type', `The type must be one of ${EVENT_TYPES.join(', ')}.`);
  }

  messageId(fallback: (() => string) | undefined): string | undefined {
    const messageId = idText(this.fields.messageId);
    if (messageId === undefined) {
      if (fallback !== undefined) return fallback();
      return this.problem(
        'missing_message_id',
        'messageId',
        'Give a messageId: it keeps a resent event from counting twice.',
      );
    }
    if (messageId !== INVALID && messageId.length <= MAX_MESSAGE_ID_LENGTH) return messageId;
    const message = `The messageId must be a string of 1 to ${MAX_MESSAGE_ID_LENGTH} characters.`;
    return this.problem('invalid_message_id', 'messageId', message);
  }

  /** The timestamp as it was sent; some SDKs send only originalTimestamp. */
  timestamp(required: boolean): SentTime | undefined {
    const path = isAbsent(this.fields.timestamp) ? 'originalTimestamp' : 'timestamp';
    const value = this.fields[path];
    if (isAbsent(value)) {
      if (!required) return undefined;
      return this.problem('missing_timestamp', 'timestamp', 'Give the timestamp of the event in ISO 8601.');
    }
    const sent = readTime(value);
    if (sent !== undefined) return sent;
    return this.problem(
      'invalid_timestamp',
      path,
      `The ${path} must be ISO 8601, like 2026-01-31T12:00:00.000Z.`,
    );
  }

  /** Numbers become strings; null, the empty string and the likes of "undefined" count as absent. */
  id(member: IdMember): string | undefined {
    const id = idText(this.fields[member]);
    if (id === undefined || (id !== INVALID && NO_IDENTITY.test(id))) return undefined;
    if (id !== INVALID && id.length <= MAX_ID_LENGTH) return id;
    const message = `The ${member} must be a string of 1 to ${MAX_ID_LENGTH} characters.`;
    return this.problem('invalid_id', member, message);
  }

  /** A text that may be missing, null or empty. */
  text(member: 'event' | 'name' | 'category', code: EventProblemCode): string | undefined {
    const value = this.fields[member];
    if (isAbsent(value)) return undefined;
    if (typeof value === 'string' && fitsName(value)) return value;
    const message = `The ${member} must be a string of at most ${MAX_NAME_BYTES} bytes.`;
    return this.problem(code, member, message);
  }

  /** An object that may be missing, null or PHP's empty one, `[]`. */
  object(member: 'properties' | 'traits' | 'context'): JsonObject | undefined {
    const value = this.fields[member];
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value) && value.length === 0) return undefined;
    if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
    return this.problem(`invalid_${member}`, member, `The ${member} must be a JSON object.`);
  }

  /** Notes a problem. */
  problem(code: EventProblemCode, path: string, message: string): undefined {
    this.problems.push({ code, path, message });
    return undefined;
  }

  /** Notes a missing member, unless it is on record as a bad one. */
  require(value: string | undefined, code: EventProblemCode, path: string, message: string): void {
    if (value !== undefined || this.problems.some((problem) => problem.path === path)) return;
    this.problem(code, path, message);
  }
}

/** Stands for an id that is there and cannot be one. */
const INVALID = Symbol('invalid');

/** An id as text; undefined when absent. A number beyond 2^53 has lost digits on its way and is no id any more. */
function idText(value: unknown): string | undefined | typeof INVALID {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return INVALID;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : INVALID;
}

/** An ISO 8601 text, or undefined. */
export function readTime(value: unknown): SentTime | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = parseTimestamp(value);
  return ms === undefined ? undefined : { text: value, ms };
}

function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function fitsName(text: string): boolean {
  // At most 3 bytes per UTF-16 unit, so short texts need no counting.
  return text.length * 3 <= MAX_NAME_BYTES || Buffer.byteLength(text) <= MAX_NAME_BYTES;
}
