import { type EventType, isJsonObject, type JsonObject } from '../../events/customer-event';
import { plainNumber } from '../../events/exact-json';
import { type Fields, idText, isAbsent, isNobody, readTime, type SentTime } from './field-values';
import type { ParseContext } from './parse-event';

/** The members of an event that are checked, once they were. */
export interface EventMembers {
  readonly type: EventType;
  readonly messageId: string;
  readonly timestamp: string;
  readonly userId?: string | undefined;
  readonly anonymousId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly previousId?: string | undefined;
  readonly event?: string | undefined;
  readonly name?: string | undefined;
  readonly category?: string | undefined;
  readonly context?: JsonObject | undefined;
  readonly properties?: JsonObject | undefined;
  readonly traits?: JsonObject | undefined;
}

/** The same before: what is absent is undefined, and what is bad is of a type that no schema lets pass. */
export interface SentMembers extends Readonly<Record<keyof EventMembers, unknown>> {
  /** Where the timestamp was sent: some SDKs send only originalTimestamp. */
  readonly timeMember: 'timestamp' | 'originalTimestamp';
  /** What the timestamp says; undefined also when the time of reception stands for it. */
  readonly time: SentTime | undefined;
}

/**
 * Reads what SDKs mean: null and the empty string are absent, so are texts that name no one, and PHP's empty object,
 * `[]`; numbers are texts where an id belongs.
 */
export function readMembers(fields: Fields, request: ParseContext): SentMembers {
  const type = request.type ?? present(fields.type);
  const isView = type === 'page' || type === 'screen';
  const timeMember = isAbsent(fields.timestamp) ? 'originalTimestamp' : 'timestamp';
  const time = readTime(fields[timeMember]);
  const context = object(fields.context);
  return {
    type,
    messageId: idText(fields.messageId) ?? request.newMessageId?.(),
    timestamp: time?.text ?? (isAbsent(fields[timeMember]) ? defaultTime(request) : NO_TIME),
    timeMember,
    time,
    userId: personId(fields.userId),
    anonymousId: personId(fields.anonymousId),
    groupId: type === 'group' ? personId(fields.groupId) : undefined,
    previousId: type === 'alias' ? personId(fields.previousId) : undefined,
    event: type === 'track' ? text(fields.event) : undefined,
    name: isView ? text(fields.name) : undefined,
    category: isView ? text(fields.category) : undefined,
    context,
    properties: object(fields.properties),
    traits: object(fields.traits) ?? (type === 'identify' ? traitsIn(context) : undefined),
  };
}

/** Stands for what is there and says no time. */
const NO_TIME = null;

function defaultTime({ newMessageId, receivedAt }: ParseContext): string | undefined {
  return newMessageId === undefined ? undefined : receivedAt;
}

function present(value: unknown): unknown {
  return isAbsent(value) ? undefined : value;
}

function personId(value: unknown): unknown {
  const id = idText(value);
  return typeof id === 'string' && isNobody(id) ? undefined : id;
}

/** A number whose digits were kept looks like a text, and is none. */
function text(value: unknown): unknown {
  return present(plainNumber(value));
}

function object(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** Some SDKs put the traits of an identify only there. */
function traitsIn(context: unknown): JsonObject | undefined {
  if (!isJsonObject(context)) return undefined;
  const { traits } = context;
  return isJsonObject(traits) ? traits : undefined;
}
