import { flag, positiveInt, type Read } from './values';

export const eventVariables = {
  // SDKs cut their batches at 500 KB. The rest, an eighth, is for what they wrap around them.
  CDP_MAX_BATCH_BYTES: positiveInt.max(64 * 1024 * 1024).default(576_000),
  CDP_MAX_BATCH_EVENTS: positiveInt.max(100_000).default(2_500),
  CDP_MAX_EVENT_BYTES: positiveInt.max(16 * 1024 * 1024).default(32_768),
  CDP_FILL_CONTEXT_IP: flag.default(true),
  CDP_EVENT_RETENTION_DAYS: positiveInt.default(365),
  CDP_DEDUP_WINDOW_DAYS: positiveInt.default(7),
  CDP_REJECTED_RETENTION_DAYS: positiveInt.default(7),
  CDP_QUARANTINE_RETENTION_DAYS: positiveInt.default(30),
};

/** Which events are accepted, and how long they are kept. */
export function eventSections(env: Read<typeof eventVariables>) {
  return {
    /** What the Events API accepts. */
    intake: {
      /** Bytes of a request's body, after inflation. */
      maxBodyBytes: env.CDP_MAX_BATCH_BYTES,
      maxBatchEvents: env.CDP_MAX_BATCH_EVENTS,
      /** Bytes of one event's JSON. */
      maxEventBytes: env.CDP_MAX_EVENT_BYTES,
      /** Whether events of browsers that have no `context.ip` get the address that they came from. */
      fillsIp: env.CDP_FILL_CONTEXT_IP,
    },
    events: {
      retentionDays: env.CDP_EVENT_RETENTION_DAYS,
      dedupWindowDays: env.CDP_DEDUP_WINDOW_DAYS,
      rejectedRetentionDays: env.CDP_REJECTED_RETENTION_DAYS,
      quarantineRetentionDays: env.CDP_QUARANTINE_RETENTION_DAYS,
    },
  };
}
