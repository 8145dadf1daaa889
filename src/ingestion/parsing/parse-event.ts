import type { Violation } from '../../tracking-plans/language/plan';
import { type EventType, isJsonObject, type JsonObject, type Subject } from '../../events/customer-event';
import { plainNumber, stringifyExactly } from '../../events/exact-json';
import { subjectOf } from '../../events/subject';
import { isDeeperThan } from '../../platform/http/input/is-deeper-than';
import { cleanJson } from './clean-json';
import { correctTimestamp } from './correct-timestamp';
import type { EventProblem } from './event-problem';
import { checkMembers } from './event-schema';
import { type Fields, fitsBytes, idText, readTime, type SentTime } from './field-values';
import { type Judge, judgeEvent, type JudgedEvent } from './judge-event';
import { type Limits, MAX_EVENT_DEPTH } from './limits';
import { outweighs } from './outweighs';
import { type EventMembers, readMembers, type SentMembers } from './read-members';

/** What an event takes from the request it came in. */
export interface ParseContext {
  readonly receivedAtMs: number;
  /** The same as ISO 8601. */
  readonly receivedAt: string;
  /** Of the batch; wins over the event's own. */
  readonly sentAt?: SentTime | undefined;
  /** Of the batch; for events without one. */
  readonly context?: JsonObject | undefined;
  /** Where the person is, for events that do not say it: `context.ip`. */
  readonly ip?: string | undefined;
  /** From the path; wins over the event's own. */
  readonly type?: EventType | undefined;
  /**
   * Given for calls of one event, and where a batch asks for it: a missing messageId is made and a missing timestamp
   * is the time of reception. In any other batch both are required.
   */
  readonly newMessageId?: (() => string) | undefined;
  /** Whether the request's text holds something for {@link cleanJson}. */
  readonly needsCleaning: boolean;
  readonly limits: Limits;
  /** The tracking plan of the source: one version for all events of the request. */
  readonly judge?: Judge | undefined;
  /** Whether one event that is not stored refuses the request: then none is quarantined, it is rejected. */
  readonly isStrict?: boolean | undefined;
}

/** An event that may be stored. */
export interface ParsedEvent {
  readonly accepted: true;
  readonly type: EventType;
  readonly messageId: string;
  /** The messageId before cleaning, which may make two ids equal. */
  readonly sentMessageId: string;
  readonly subject: Subject;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  /** Event name of a track, name of a page or screen. */
  readonly name: string | undefined;
  /** The normalised event as JSON text, see `CustomerEvent`: what is stored and delivered. */
  readonly payload: string;
  /** The tracking plan that keeps it apart. */
  readonly quarantinedBy: { readonly id: string; readonly version: number } | undefined;
  /** Where it differs from its tracking plan. */
  readonly violations: readonly Violation[];
}

/** An event that may not, and everything that is wrong with it. */
export interface RejectedEvent {
  readonly accepted: false;
  readonly messageId: string | undefined;
  readonly problems: readonly EventProblem[];
  /** Why its tracking plan does not let it pass. */
  readonly violations?: readonly Violation[];
}

/** What the service writes itself, and the credential, which is no part of an event. */
const REWRITTEN_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'messageId',
  'timestamp',
  'originalTimestamp',
  'sentAt',
  'receivedAt',
  'userId',
  'anonymousId',
  'groupId',
  'previousId',
  'context',
  'properties',
  'traits',
  'writeKey',
]);

/** Members that may be null or empty, which means absent. */
const NAME_MEMBERS: Record<EventType, readonly string[]> = {
  track: [],
  identify: [],
  page: ['name', 'category'],
  screen: ['name', 'category'],
  group: [],
  alias: [],
};

/** Checks and normalises one event. Pure; finds all problems at once; never throws, whatever `sent` is. */
export function parseEvent(sent: unknown, request: ParseContext): ParsedEvent | RejectedEvent {
  if (!isJsonObject(sent)) {
    return reject(undefined, { code: 'not_an_object', path: '', message: 'An event must be a JSON object.' });
  }
  const raw = withContext(sent, request.context);
  if (isDeeperThan(MAX_EVENT_DEPTH, raw)) {
    const message = `Nest objects and arrays at most ${MAX_EVENT_DEPTH} deep.`;
    return reject(plainNumber(raw.messageId), { code: 'event_too_deep', path: '', message });
  }
  const fields = request.needsCleaning ? cleanMembers(raw) : raw;
  const members = readMembers(fields, request);
  const problems = checkMembers(members);
  if (problems.length > 0) {
    const isIdBad = problems.some(({ path }) => path === 'messageId');
    return reject(isIdBad ? undefined : members.messageId, ...problems);
  }
  const event = members as SentMembers & EventMembers;
  const { timestampMs, kept } = normalise(event, fields, request);
  const { maxEventBytes } = request.limits;
  // What judging takes grows with the event, and it may omit what is too large.
  const isHuge = request.judge !== undefined && outweighs(maxEventBytes, kept);
  if (isHuge && !fitsBytes(maxEventBytes, stringifyExactly(raw))) return tooLarge(event, maxEventBytes);
  const { outcome, violations, event: judged } = judgeBy(request.judge, kept);
  const payload = stringifyExactly(judged);
  if (!fitsBytes(maxEventBytes, payload) && !fitsBytes(maxEventBytes, stringifyExactly(raw))) {
    return tooLarge(event, maxEventBytes);
  }
  if (outcome === 'block' || (outcome === 'quarantine' && request.isStrict === true)) {
    return { ...reject(event.messageId, ...violations), violations };
  }
  return {
    accepted: true,
    type: event.type,
    messageId: event.messageId,
    sentMessageId: sentIdOf(raw, event.messageId),
    subject: subjectOf(event),
    timestampMs,
    name: event.event ?? event.name,
    payload,
    quarantinedBy: outcome === 'quarantine' ? request.judge : undefined,
    violations,
  };
}

function tooLarge({ messageId }: EventMembers, maxEventBytes: number): RejectedEvent {
  const message = `An event may have at most ${maxEventBytes} bytes of JSON.`;
  return reject(messageId, { code: 'event_too_large', path: '', message });
}

function judgeBy(judge: Judge | undefined, event: Fields): JudgedEvent {
  return judge === undefined ? { outcome: 'pass', violations: [], event } : judgeEvent(event, judge);
}

function normalise(
  event: SentMembers & EventMembers,
  fields: Fields,
  request: ParseContext,
): { readonly timestampMs: number; readonly kept: Fields } {
  const { type, messageId, time, userId, anonymousId, groupId, previousId } = event;
  const sentAt = request.sentAt ?? readTime(fields.sentAt);
  const timestampMs =
    time === undefined ? request.receivedAtMs : correctTimestamp(time.ms, sentAt?.ms, request.receivedAtMs);
  const head = {
    type,
    messageId,
    timestamp: new Date(timestampMs).toISOString(),
    originalTimestamp: time?.text,
    sentAt: sentAt?.text,
    receivedAt: request.receivedAt,
    userId,
    anonymousId,
    groupId,
    previousId,
    context: withIp(event.context, request.ip),
    properties: event.properties,
    traits: event.traits,
  };
  return { timestampMs, kept: addUnknown(head, fields, type) };
}

/** The event with the context of its batch, unless it has one. From there on it is checked like the event's own. */
function withContext(event: Fields, context: JsonObject | undefined): Fields {
  if (context === undefined) return event;
  const { context: own, ...rest } = event;
  const none = own === undefined || own === null || (Array.isArray(own) && own.length === 0);
  return none ? { context, ...rest } : event;
}

/** A context that says nothing of the address gets it. What says that there is none, as `null`, stays. */
function withIp(context: JsonObject | undefined, ip: string | undefined): JsonObject | undefined {
  return ip === undefined || context?.ip !== undefined ? context : { ip, ...context };
}

/** The depth of an event is checked before. */
function cleanMembers(raw: Fields): Fields {
  return cleanJson(raw as JsonObject) as JsonObject;
}

/** Head and unknown members. */
function addUnknown(head: Fields, fields: Fields, type: EventType): Fields {
  const event = head;
  for (const key in fields) {
    if (REWRITTEN_MEMBERS.has(key)) continue;
    const value = fields[key];
    if (isEmptyText(value) && NAME_MEMBERS[type].includes(key)) continue;
    event[key] = value;
  }
  return event;
}

/** The messageId of an accepted event before it was cleaned; `made` when none was sent. */
function sentIdOf({ messageId }: Fields, made: string): string {
  const id = idText(messageId);
  return typeof id === 'string' ? id : made;
}

function isEmptyText(value: unknown): boolean {
  return value === null || value === '';
}

function reject(messageId: unknown, ...problems: readonly EventProblem[]): RejectedEvent {
  return { accepted: false, messageId: typeof messageId === 'string' ? messageId : undefined, problems };
}
