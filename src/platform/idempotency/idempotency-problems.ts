import { Problem } from '../http/problem';

/** The first request with this key is still being worked on. */
export class IdempotencyKeyBusyError extends Problem {
  readonly status = 409;
  readonly code = 'idempotency_key_busy';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('A request with this Idempotency-Key is being worked on. Try again in a second.');
  }
}

/** The same key came with another body: one of the two is a mistake. */
export class IdempotencyKeyReusedError extends Problem {
  readonly status = 409;
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for a request with another body.');
  }
}
