import { problem } from '../http/problems/problem';

/** The first request with this key is still being worked on. */
export class IdempotencyKeyBusyError extends problem(
  409,
  'idempotency_key_busy',
  'A request with this Idempotency-Key is being worked on. Try again in a second.',
) {
  override readonly retryAfterSeconds = 1;
}

/** The same key came with another body: one of the two is a mistake. */
export class IdempotencyKeyReusedError extends problem(
  409,
  'idempotency_key_reused',
  'This Idempotency-Key was used for a request with another body.',
) {}
