import { Config } from '../platform/config/config';

/** The sizes ingestion accepts. Characters are UTF-16 units. */
export interface Limits {
  /** Bytes of a request's body, after inflation. */
  readonly maxBodyBytes: number;
  readonly maxBatchEvents: number;
  /** Bytes of one event's JSON. */
  readonly maxEventBytes: number;
  /** Levels of objects and arrays in one event, the event itself included. */
  readonly maxDepth: number;
  readonly maxMessageIdLength: number;
  /** Characters of userId, anonymousId, groupId and previousId. */
  readonly maxIdLength: number;
  /** UTF-8 bytes of an event's or a page's name. */
  readonly maxNameBytes: number;
}

export function limitsOf({ env }: Config): Limits {
  return {
    maxBodyBytes: env.CDP_MAX_BATCH_BYTES,
    maxBatchEvents: env.CDP_MAX_BATCH_EVENTS,
    maxEventBytes: env.CDP_MAX_EVENT_BYTES,
    maxDepth: env.CDP_MAX_EVENT_DEPTH,
    maxMessageIdLength: env.CDP_MAX_MESSAGE_ID_LENGTH,
    maxIdLength: env.CDP_MAX_ID_LENGTH,
    maxNameBytes: env.CDP_MAX_NAME_BYTES,
  };
}

/** Where nothing is configured. The DTO classes have these: decorators run before there is a configuration. */
export const DEFAULT_LIMITS = limitsOf(Config.from({}));
