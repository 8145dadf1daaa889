/** One thing that is wrong with a request. */
export interface ProblemDetail {
  /** Where: a JSON path such as `batch[3].event`, or the name of a query parameter or header. */
  readonly path: string;
  /** Stable, snake_case. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/**
 * An answer that is not a success, thrown by services and turned into RFC 9457 problem details by the one filter.
 * Each kind of problem is a subclass with its own code, e.g. `SourceNotFoundError`.
 */
export abstract class Problem extends Error {
  abstract readonly status: number;
  /** Stable, snake_case, documented. */
  abstract readonly code: string;
  readonly errors: readonly ProblemDetail[] = [];
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined = undefined;
  /** Further headers of the answer, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** Further members of the body (RFC 9457, section 3.2). */
  readonly extensions: Readonly<Record<string, unknown>> = {};
}

/** The request is not what the documentation asks for; `errors` names each place. */
export class InvalidRequestError extends Problem {
  readonly status = 400;
  readonly code = 'invalid_request';

  constructor(override readonly errors: readonly ProblemDetail[]) {
    super(errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));
  }
}

/** Something this service depends on is away; the same request may succeed a little later. */
export class DependencyDownError extends Problem {
  readonly status = 503;
  readonly code = 'dependency_down';
  override readonly retryAfterSeconds = 5;

  constructor(what: string) {
    super(`${what} cannot be reached right now. Try again in a few seconds.`);
  }
}
