import { type EventType, EVENT_TYPES, type JsonObject } from '../events/customer-event';
import { isKeptNumber } from '../events/exact-json';
import type { EventProblem, EventProblemCode } from './event-problem';
import { fitsBytes, idText, INVALID_ID, isAbsent, isNobody, readTime, type SentTime } from './field-values';
import { MAX_ID_LENGTH, MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from './limits';

/** Any JSON object, its members not yet looked at. */
export type Fields = Record<string, unknown>;

/** The members of an event that name somebody. */
export type IdMember = 'userId' | 'anonymousId' | 'groupId' | 'previousId';

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
    if (messageId !== INVALID_ID && messageId.length <= MAX_MESSAGE_ID_LENGTH) return messageId;
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
    if (id === undefined || (id !== INVALID_ID && isNobody(id))) return undefined;
    if (id !== INVALID_ID && id.length <= MAX_ID_LENGTH) return id;
    const message = `The ${member} must be a string of 1 to ${MAX_ID_LENGTH} characters.`;
    return this.problem('invalid_id', member, message);
  }

  /** A text that may be missing, null or empty. */
  text(member: 'event' | 'name' | 'category', code: EventProblemCode): string | undefined {
    const value = this.fields[member];
    if (isAbsent(value)) return undefined;
    if (typeof value === 'string' && !isKeptNumber(value) && fitsBytes(MAX_NAME_BYTES, value)) return value;
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
    if (value !== undefined || this.hasProblem(path)) return;
    this.problem(code, path, message);
  }

  hasProblem(...paths: readonly string[]): boolean {
    return this.problems.some(({ path }) => paths.includes(path));
  }
}
