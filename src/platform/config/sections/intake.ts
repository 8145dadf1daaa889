import { positiveInt, type Read } from './values';

export const intakeVariables = {
  // SDKs cut their batches at 500 KB. The rest, an eighth, is for what they wrap around them.
  CDP_MAX_BATCH_BYTES: positiveInt.max(64 * 1024 * 1024).default(576_000),
  CDP_MAX_BATCH_EVENTS: positiveInt.max(100_000).default(2_500),
  CDP_MAX_EVENT_BYTES: positiveInt.max(16 * 1024 * 1024).default(32_768),
  // PostgreSQL's JSON parser has a stack that ends at some thousand levels.
  CDP_MAX_EVENT_DEPTH: positiveInt.max(1_000).default(64),
  CDP_MAX_MESSAGE_ID_LENGTH: positiveInt.max(10_000).default(255),
  // An id of 3 bytes a character and a name must fit together into an index entry of PostgreSQL, 2,704 bytes.
  CDP_MAX_ID_LENGTH: positiveInt.max(512).default(512),
  CDP_MAX_NAME_BYTES: positiveInt.max(1_024).default(1_024),
  CDP_EVENT_RETENTION_DAYS: positiveInt.default(365),
  CDP_DEDUP_WINDOW_DAYS: positiveInt.default(7),
};

/** The events that are accepted, and how long they are kept. */
export function intakeSections(env: Read<typeof intakeVariables>) {
  return {
    /** What the Events API accepts. Characters are UTF-16 units. */
    intake: {
      /** Bytes of a request's body, after inflation. */
      maxBodyBytes: env.CDP_MAX_BATCH_BYTES,
      maxBatchEvents: env.CDP_MAX_BATCH_EVENTS,
      /** Bytes of one event's JSON. */
      maxEventBytes: env.CDP_MAX_EVENT_BYTES,
      /** Levels of objects and arrays in one event, the event itself included. */
      maxDepth: env.CDP_MAX_EVENT_DEPTH,
      maxMessageIdLength: env.CDP_MAX_MESSAGE_ID_LENGTH,
      /** Characters of userId, anonymousId, groupId and previousId. */
      maxIdLength: env.CDP_MAX_ID_LENGTH,
      /** UTF-8 bytes of an event's or a page's name. */
      maxNameBytes: env.CDP_MAX_NAME_BYTES,
    },
    events: { retentionDays: env.CDP_EVENT_RETENTION_DAYS, dedupWindowDays: env.CDP_DEDUP_WINDOW_DAYS },
  };
}
