import { MAX_RETRY_AFTER_MS } from '../../connectors/retry-after';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';

/** The schedule of tries of one delivery. */
export interface RetrySchedule {
  /** Wait after the first try. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** How many tries there are, and when. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly backoff: RetrySchedule;
}

/** When a delivery is tried again, as the ledger and its job know it. */
export interface Wait {
  /** The longest that the wait may be. The delivery is left to its job for this long. */
  readonly waitMs: number;
  /** The step of the schedule. */
  readonly stepMs: number;
  /** Whether the wait is another one than the backoff's: the receiver asked for it, or steps grow no further. */
  readonly isMoved: boolean;
}

/**
 * The schedule, in one place. Waits double from try to try, as those of BullMQ's `exponential` backoff do, up to a cap.
 * With the defaults (2 s, at most 6 h, 19 tries): 2 s, 4 s, 8 s, … 4.6 h, 6 h, 6 h, 6 h, 6 h. That is 33 hours, 25 at
 * the shortest.
 */
const FACTOR = 2;
/** A wait is shorter than its step by up to this part of it, by chance, so that failures of one moment spread out. */
const JITTER = 0.25;

/**
 * How long to wait after the try with this number (1 is the first), and not less than the receiver asked for with
 * `Retry-After`.
 */
export function waitAfterTry(attempt: number, schedule: RetrySchedule, retryAfterMs = 0): Wait {
  const { firstWaitMs, maxWaitMs } = schedule;
  const stepMs = Math.min(firstWaitMs * FACTOR ** (attempt - 1), maxWaitMs);
  const askedMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  // Chance must not make a wait shorter than the receiver asked for.
  const isMoved = askedMs > jittered(stepMs, 0) || stepMs === maxWaitMs;
  return { waitMs: Math.max(stepMs, askedMs), stepMs, isMoved };
}

/** When a delivery is tried again after a try that failed; undefined when it has no more tries. */
export function nextTry(
  { attempts, probes = 0, attemptLimit }: Pick<ClaimedDelivery, 'attempts' | 'probes' | 'attemptLimit'>,
  retryAfterMs: number | undefined,
  { maxAttempts, backoff }: RetryPolicy,
): Wait | undefined {
  const attempt = attempts + 1 - probes;
  if (attempt >= (attemptLimit ?? maxAttempts)) return undefined;
  // A replay starts a schedule of its own.
  const inSchedule = attemptLimit === undefined ? attempt : attempt + maxAttempts - attemptLimit;
  return waitAfterTry(Math.max(inSchedule, 1), backoff, retryAfterMs);
}

/** The options of the job that tries again after such a wait, and after those that follow. */
export function backoffFrom({ stepMs }: Pick<Wait, 'stepMs'>): {
  readonly type: 'exponential';
  readonly delay: number;
  readonly jitter: number;
} {
  return { type: 'exponential', delay: stepMs * FACTOR, jitter: JITTER };
}

/**
 * Whether BullMQ waits for that step after the next failure of a job. It does not once the job was moved: it counts the
 * failures that it has seen.
 * @param failures of the job, before that one
 */
export function isStepOf(backoff: unknown, failures: number, { stepMs }: Pick<Wait, 'stepMs'>): boolean {
  if (typeof backoff !== 'object' || backoff === null) return false;
  const { type, delay } = backoff as Partial<ReturnType<typeof backoffFrom>>;
  return type === 'exponential' && delay !== undefined && delay * FACTOR ** failures === stepMs;
}

/** A step with its jitter, as BullMQ draws it. @param random 0 to 1 */
export function jittered(stepMs: number, random: number): number {
  return Math.floor(stepMs * (1 - JITTER + JITTER * random));
}

/** No wait between two tries is longer, whatever a receiver asks for. */
export function longestWaitMs({ maxWaitMs }: RetrySchedule): number {
  return Math.max(maxWaitMs, MAX_RETRY_AFTER_MS);
}
