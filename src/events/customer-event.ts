/** The types of a customer event: those of the SDKs. */
export const EVENT_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export function isEventType(name: string): name is EventType {
  return EVENT_TYPES.some((type) => type === name);
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value that is JSON, or nothing, is an object and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What every event has once it was accepted. The members are those of the delivered JSON, plus the three that
 * only the service knows (`id`, `sourceId`, `subject`).
 */
interface AcceptedEvent {
  /** UUIDv7, made at reception: its time is the time of reception. */
  readonly id: string;
  readonly sourceId: string;
  readonly subject: Subject;
  /** Unique per source; given by the SDK. */
  readonly messageId: string;
  /** ISO 8601 in UTC with milliseconds, corrected for the clock of the client. */
  readonly timestamp: string;
  /** As the client sent it. */
  readonly originalTimestamp?: string;
  readonly sentAt?: string;
  readonly receivedAt: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly context?: JsonObject;
}

export interface TrackEvent extends AcceptedEvent {
  readonly type: 'track';
  readonly event: string;
  readonly properties?: JsonObject;
}

export interface IdentifyEvent extends AcceptedEvent {
  readonly type: 'identify';
  readonly traits?: JsonObject;
}

export interface PageEvent extends AcceptedEvent {
  readonly type: 'page' | 'screen';
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

export interface GroupEvent extends AcceptedEvent {
  readonly type: 'group';
  readonly groupId: string;
  readonly traits?: JsonObject;
}

export interface AliasEvent extends AcceptedEvent {
  readonly type: 'alias';
  readonly userId: string;
  readonly previousId: string;
}

/** An accepted event: the one type that everything behind ingestion works with. */
export type CustomerEvent = TrackEvent | IdentifyEvent | PageEvent | GroupEvent | AliasEvent;

/**
 * Whom an event is about: `u:<userId>`, else `a:<anonymousId>`, else (a group event without ids) `g:<groupId>`.
 * The prefix keeps a userId and an equal anonymousId apart. The subject is the distribution key of all big tables.
 */
export type Subject = `u:${string}` | `a:${string}` | `g:${string}`;

/** The whole key of a stored event. `timestamp` is ISO 8601. */
export interface EventKey {
  readonly subject: Subject;
  readonly timestamp: string;
  readonly id: string;
}

/** The name of an event in profiles, segments and filters: of a track, a page or a screen; else the type. */
export function eventName(event: CustomerEvent): string {
  if (event.type === 'track') return event.event;
  if (event.type === 'page' || event.type === 'screen') return event.name ?? event.type;
  return event.type;
}
