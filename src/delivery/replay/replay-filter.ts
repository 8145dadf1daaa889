import type { JsonObject } from '../../events/customer-event';

/** Which of the events in its range a replay sends, beside what the destination asks for anyway. */
export interface EventSelection {
  /** Ids of sources; null is all. */
  readonly sources: string[] | null;
  /** As a destination has it; null lets everything pass. */
  readonly filter: JsonObject | null;
  readonly userId: string | null;
  readonly anonymousId: string | null;
}

/** What a replay is about: a range of ids, from inclusive, to exclusive. */
export interface ReplayFilter {
  readonly fromId: string;
  readonly toId: string;
  /** Error class of dead letters; null is any. */
  readonly reason: string | null;
  /** Of a replay of events; it may name a person, and is kept only as long as it is needed. */
  readonly selection?: EventSelection | undefined;
}
