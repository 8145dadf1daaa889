import type { Config } from '../platform/config/config';

/** The sizes ingestion accepts. */
export interface Limits {
  /** Bytes of one event's JSON. */
  readonly maxEventBytes: number;
  /** Bytes of a request's body, after inflation. */
  readonly maxBodyBytes: number;
  readonly maxBatchEvents: number;
}

/** Levels of objects and arrays in one event, the event itself included. */
export const MAX_DEPTH = 64;
/** Characters (UTF-16 units). */
export const MAX_MESSAGE_ID_LENGTH = 255;
/**
 * Characters (UTF-16 units) of userId, anonymousId, groupId and previousId. They take at most 3 bytes each, so that an
 * id and a name fit into one entry of a PostgreSQL index (2,704 bytes).
 */
export const MAX_ID_LENGTH = 512;
/** UTF-8 bytes of an event's or a page's name; see {@link MAX_ID_LENGTH}. */
export const MAX_NAME_BYTES = 1_024;

export function limitsOf(config: Config): Limits {
  return {
    maxEventBytes: config.env.CDP_MAX_EVENT_BYTES,
    maxBodyBytes: config.env.CDP_MAX_BATCH_BYTES,
    maxBatchEvents: config.env.CDP_MAX_BATCH_EVENTS,
  };
}
