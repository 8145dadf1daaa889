import { Problem, type ProblemDetail } from '../platform/http/problem';

/** The request has no write key, or one that belongs to no enabled source. */
export class InvalidWriteKeyError extends Problem {
  readonly status = 401;
  readonly code = 'invalid_write_key';

  constructor() {
    super('The write key is missing or not valid. Send it as the user name of HTTP Basic, without a password.');
  }
}

export class InvalidJsonError extends Problem {
  readonly status = 400;
  readonly code = 'invalid_json';

  constructor() {
    super('The body is not valid JSON in UTF-8.');
  }
}

/** The body is JSON, but not what this path takes. */
export class InvalidBodyError extends Problem {
  readonly status = 400;
  readonly code = 'invalid_body';

  constructor(override readonly errors: readonly ProblemDetail[]) {
    super(errors[0]?.message ?? 'The body is not valid.');
  }
}

export class BodyTooLargeError extends Problem {
  readonly status = 413;
  readonly code = 'body_too_large';

  constructor(maxBytes: number) {
    super(`A request may have at most ${maxBytes} bytes, inflated. Send smaller batches.`);
  }
}

export class TooManyEventsError extends Problem {
  readonly status = 413;
  readonly code = 'too_many_events';

  constructor(maxEvents: number) {
    super(`A batch may have at most ${maxEvents} events. Send smaller batches.`);
  }
}

export class UnsupportedMediaTypeError extends Problem {
  readonly status = 415;
  readonly code = 'unsupported_media_type';
}

/** More events wait for the store than memory should hold. */
export class InboxFullError extends Problem {
  readonly status = 429;
  readonly code = 'overloaded';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many events are waiting to be stored. Send this request again later.');
  }
}

/** PostgreSQL is away, or the outcome of a commit is unknown. Sending again is harmless. */
export class StoreUnavailableError extends Problem {
  readonly status = 503;
  readonly code = 'store_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The event store is not available. Send this request again later; no event will count twice.');
  }
}
