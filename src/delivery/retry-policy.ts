import { MAX_RETRY_AFTER_MS } from '../connectors/delivery-error';

/** The schedule of tries of one delivery. */
export interface RetrySchedule {
  /** Wait after the first try. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** With the defaults (2 s, at most 6 h, 10 tries): 2 s, 8 s, 32 s, 2 min, 9 min, 34 min, 2.3 h, 6 h, 6 h. */
const FACTOR = 4;
/** Each wait is between three quarters and five quarters of its step, so that failures of one moment spread out. */
const JITTER = 0.25;

/**
 * How long to wait after the try with this number (1 is the first): exponential, capped, with jitter, and not less
 * than the receiver asked for with `Retry-After`.
 * @param random 0 to 1
 */
export function waitAfterTry(
  attempt: number,
  schedule: RetrySchedule,
  random: number,
  retryAfterMs = 0,
): number {
  const step = Math.min(schedule.firstWaitMs * FACTOR ** (attempt - 1), schedule.maxWaitMs);
  const jittered = step * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

/** No wait between two tries is longer, whatever a receiver asks for. */
export function longestWaitMs({ maxWaitMs }: RetrySchedule): number {
  return Math.max(maxWaitMs * (1 + JITTER), MAX_RETRY_AFTER_MS);
}
