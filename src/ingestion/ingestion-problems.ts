import { MAX_ERRORS, problem, type ProblemDetail } from '../platform/http/problems/problem';

/** The request has no write key, or one that belongs to no enabled source; that of a webhook is not for this. */
export class InvalidWriteKeyError extends problem(
  401,
  'invalid_write_key',
  'The write key is missing, or no enabled source for SDKs has it. Send it as the user name of HTTP Basic, without a password.',
) {
  override readonly headers: Readonly<Record<string, string>>;

  /** @param browser whether a page asked: a challenge would make its browser ask the visitor for a password. */
  constructor(browser: boolean) {
    super();
    this.headers = browser ? {} : { 'www-authenticate': 'Basic realm="events", charset="UTF-8"' };
  }
}

/** No enabled source of the kind that the path is for has the write key that it names. */
export class UnknownWriteKeyError extends problem(
  404,
  'unknown_write_key',
  'No enabled source has this write key; /v1/hooks takes those of webhooks, all other addresses those of SDKs.',
) {}

export class InvalidJsonError extends problem(
  400,
  'invalid_json',
  'The body is empty, or not valid JSON: `detail` says where.',
) {}

/** The client stopped in the middle of the body. */
export class IncompleteBodyError extends problem(
  400,
  'incomplete_body',
  'The body ended before it was complete.',
) {}

/** Next to nothing of the body arrives any more. */
export class BodyTooSlowError extends problem(
  408,
  'request_timeout',
  'The body arrived too slowly. Send this request again.',
) {
  override readonly headers = { connection: 'close' };
}

/** The body is not what its Content-Encoding says. */
export class InvalidEncodingError extends problem(
  400,
  'invalid_encoding',
  'The body could not be inflated as its Content-Encoding says.',
) {}

/** One event of a request that was not accepted. */
export interface Rejection {
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly messageId?: string | undefined;
  /** Of the first problem; `problems` has them all. */
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly problems: readonly ProblemDetail[];
}

/** Something in which an event that was accepted, or is quarantined, differs from the tracking plan of its source. */
export interface Warning {
  readonly index: number;
  readonly messageId: string;
  readonly code: string;
  readonly path: string;
  /** Of the plan. */
  readonly rule: string;
  readonly message: string;
}

/** What is told of a request beside its rejections; nothing where no tracking plan has something to say. */
export interface PlanAnswer {
  /** Events that are kept apart. */
  readonly quarantined?: number;
  readonly warnings?: readonly Warning[];
}

/** Some events of a request are not valid. The others are stored, unless the request was strict. */
export class InvalidEventsError extends problem(
  400,
  'invalid_events',
  'Some events are not valid; `rejected` says which, and why. The others are stored, unless the request is strict.',
) {
  override readonly errors: readonly ProblemDetail[];
  override readonly extensions: Readonly<Record<string, unknown>>;

  constructor(
    rejected: readonly Rejection[],
    counts: { readonly accepted: number; readonly duplicates: number } & PlanAnswer,
  ) {
    super(summary(rejected, counts.accepted + counts.duplicates, counts.quarantined));
    // `rejected` has all of them.
    this.errors = firstProblems(rejected);
    this.extensions = { success: false, ...counts, rejected };
  }
}

function firstProblems(rejected: readonly Rejection[]): ProblemDetail[] {
  // Each of them has at least one.
  const problems = rejected.slice(0, MAX_ERRORS).flatMap((rejection) => rejection.problems);
  return problems.slice(0, MAX_ERRORS);
}

function othersOf(stored: number): string {
  if (stored === 0) return 'No event was stored.';
  return stored === 1 ? 'The other one is stored.' : `The other ${stored} are stored.`;
}

function summary(rejected: readonly Rejection[], stored: number, quarantined = 0): string {
  const [first] = rejected;
  const all = rejected.length + stored + quarantined;
  const count = `${rejected.length} of ${all} ${all === 1 ? 'event' : 'events'} ${rejected.length === 1 ? 'is' : 'are'}`;
  const rest = quarantined > 0 ? `${stored} stored, ${quarantined} in quarantine.` : othersOf(stored);
  // A call of one event has no place to name where the whole of it is wrong.
  const firstOf = [first?.path, first?.message].filter((part) => part !== undefined && part !== '');
  return `${count} not valid. ${rest} First: ${firstOf.join(': ')}`;
}

/** The body is JSON, but not what this path takes. */
export class InvalidBodyError extends problem(
  400,
  'invalid_body',
  'The body is JSON, but not what this path takes.',
) {
  constructor(override readonly errors: readonly ProblemDetail[]) {
    super(errors[0]?.message ?? 'The body is not valid.');
  }
}

export class BodyTooLargeError extends problem(
  413,
  'body_too_large',
  'The body has more bytes than a request may have, inflated.',
) {
  constructor(maxBytes: number) {
    super(`A request may have at most ${maxBytes} bytes, inflated. Send smaller batches.`);
  }
}

/** The context of the batch would be stored with each of its events. */
export class ContextTooLargeError extends problem(
  413,
  'context_too_large',
  'The context of the batch, counted once for each event, has more bytes than a request may have.',
) {
  constructor(maxBytes: number) {
    super(
      `The context of a batch, counted once for each event, may have at most ${maxBytes} bytes. Send smaller batches.`,
    );
  }
}

export class TooManyEventsError extends problem(
  413,
  'too_many_events',
  'The batch has more events than one may have.',
) {
  constructor(maxEvents: number) {
    super(`A batch may have at most ${maxEvents} events. Send smaller batches.`);
  }
}

export class UnsupportedMediaTypeError extends problem(
  415,
  'unsupported_media_type',
  'The body is in a format or a compression that is not read.',
) {}

/** More events wait for the store than memory should hold. */
export class OverloadedError extends problem(
  429,
  'overloaded',
  'Too many events are waiting to be stored. Send this request again later.',
) {
  override readonly retryAfterSeconds = 1;
}

/** PostgreSQL is away, or the outcome of a commit is unknown. Sending again is harmless. */
export class StoreUnavailableError extends problem(
  503,
  'store_unavailable',
  'The event store is not available. Send this request again later; no event will count twice.',
) {
  override readonly retryAfterSeconds = 5;
}
