import type { EventType, JsonObject, JsonValue, Subject } from '../events/customer-event';
import { plainNumber, stringifyExactly } from '../events/exact-json';
import { subjectOf } from '../events/subject';
import { cleanJson } from './clean-json';
import { correctTimestamp } from './correct-timestamp';
import { EventFields, type Fields } from './event-fields';
import { fitsBytes, idText, readTime, type SentTime } from './field-values';
import type { EventProblem } from './event-problem';
import { isDeeperThan } from './json-depth';
import { type Limits, MAX_EVENT_DEPTH } from './limits';

/** What an event takes from the request it came in. */
export interface ParseContext {
  readonly receivedAtMs: number;
  /** The same as ISO 8601. */
  readonly receivedAt: string;
  /** Of the batch; wins over the event's own. */
  readonly sentAt?: SentTime | undefined;
  /** Of the batch; for events without one. */
  readonly context?: JsonObject | undefined;
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
}

/** An event that may not, and everything that is wrong with it. */
export interface RejectedEvent {
  readonly accepted: false;
  readonly messageId: string | undefined;
  readonly problems: readonly EventProblem[];
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

/** Checks and normalises one event. Pure; finds all problems at once; never throws, whatever `raw` is. */
export function parseEvent(sent: unknown, request: ParseContext): ParsedEvent | RejectedEvent {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return reject(undefined, { code: 'not_an_object', path: '', message: 'An event must be a JSON object.' });
  }
  const { maxEventBytes } = request.limits;
  const raw = withContext(sent as Fields, request.context);
  if (isDeeperThan(MAX_EVENT_DEPTH, raw)) {
    const message = `Nest objects and arrays at most ${MAX_EVENT_DEPTH} deep.`;
    return reject(raw.messageId, { code: 'event_too_deep', path: '', message });
  }
  const fields = request.needsCleaning ? (cleanJson(raw as JsonObject) as Fields) : raw;
  const read = new EventFields(fields);
  const type = request.type ?? read.type();
  const messageId = read.messageId(request.newMessageId);
  const time = read.timestamp(request.newMessageId === undefined);
  const who = readWho(read, type);
  const name = readName(read, type);
  const what = readWhat(read, type);
  if (type === undefined || messageId === undefined || read.problems.length > 0) {
    return { accepted: false, messageId, problems: read.problems };
  }
  const sentAt = request.sentAt ?? readTime(fields.sentAt);
  const timestampMs =
    time === undefined ? request.receivedAtMs : correctTimestamp(time.ms, sentAt?.ms, request.receivedAtMs);
  const timestamp = new Date(timestampMs).toISOString();
  const head = {
    type,
    messageId,
    timestamp,
    originalTimestamp: time?.text,
    sentAt: sentAt?.text,
    receivedAt: request.receivedAt,
    ...who,
    ...what,
  };
  const payload = serialise(head, fields, type);
  if (!fitsBytes(maxEventBytes, payload) && !fitsBytes(maxEventBytes, stringifyExactly(raw))) {
    const message = `An event may have at most ${maxEventBytes} bytes of JSON.`;
    return reject(messageId, { code: 'event_too_large', path: '', message });
  }
  const subject = subjectOf(who);
  const sentMessageId = sentIdOf(raw, messageId);
  return { accepted: true, type, messageId, sentMessageId, subject, timestampMs, name, payload };
}

/** The event with the context of its batch, unless it has one. From there on it is checked like the event's own. */
function withContext(event: Fields, context: JsonObject | undefined): Fields {
  if (context === undefined) return event;
  const { context: own } = event;
  const none = own === undefined || own === null || (Array.isArray(own) && own.length === 0);
  return none ? { ...event, context } : event;
}

interface Who {
  userId?: string | undefined;
  anonymousId?: string | undefined;
  groupId?: string | undefined;
  previousId?: string | undefined;
}

/** Whom the event is about, and whether that is enough for its type. */
function readWho(read: EventFields, type: EventType | undefined): Who {
  const who: Who = { userId: read.id('userId'), anonymousId: read.id('anonymousId') };
  if (type === 'group') {
    who.groupId = read.id('groupId');
    read.require(who.groupId, 'missing_group_id', 'groupId', 'A group event needs a groupId.');
  } else if (type === 'alias') {
    who.previousId = read.id('previousId');
    read.require(who.userId, 'missing_user_id', 'userId', 'An alias event needs a userId.');
    read.require(who.previousId, 'missing_previous_id', 'previousId', 'An alias event needs a previousId.');
  } else if (type !== undefined) {
    const known = who.userId ?? who.anonymousId;
    // A bad anonymousId is on record itself; saying that there is none would mislead.
    if (read.hasProblem('anonymousId')) return who;
    read.require(known, 'missing_identity', 'userId', `A ${type} event needs a userId or an anonymousId.`);
  }
  return who;
}

function readName(read: EventFields, type: EventType | undefined): string | undefined {
  if (type === 'track') {
    const event = read.text('event', 'invalid_event_name');
    read.require(event, 'missing_event_name', 'event', 'A track event needs its name in `event`.');
    return event;
  }
  if (type !== 'page' && type !== 'screen') return undefined;
  read.text('category', 'invalid_category');
  return read.text('name', 'invalid_name');
}

interface What {
  context?: JsonObject | undefined;
  properties?: JsonObject | undefined;
  traits?: JsonObject | undefined;
}

function readWhat(read: EventFields, type: EventType | undefined): What {
  const context = read.object('context');
  const properties = read.object('properties');
  const traits = read.object('traits');
  if (type !== 'identify' || traits !== undefined) return { context, properties, traits };
  // Some SDKs put the traits of an identify only there.
  const contextTraits = context?.traits;
  return { context, properties, traits: isObject(contextTraits) ? contextTraits : undefined };
}

/** Head and unknown members as JSON; members that are undefined are left out. */
function serialise(head: Fields, fields: Fields, type: EventType): string {
  const event = head;
  for (const key in fields) {
    if (REWRITTEN_MEMBERS.has(key)) continue;
    const value = fields[key];
    if (isEmptyText(value) && NAME_MEMBERS[type].includes(key)) continue;
    event[key] = value;
  }
  return stringifyExactly(event);
}

/** The messageId of an accepted event before it was cleaned; `made` when none was sent. */
function sentIdOf({ messageId }: Fields, made: string): string {
  const id = idText(messageId);
  return typeof id === 'string' ? id : made;
}

function isEmptyText(value: unknown): boolean {
  return value === null || value === '';
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reject(sentId: unknown, problem: EventProblem): RejectedEvent {
  const messageId = plainNumber(sentId);
  return {
    accepted: false,
    messageId: typeof messageId === 'string' ? messageId : undefined,
    problems: [problem],
  };
}
