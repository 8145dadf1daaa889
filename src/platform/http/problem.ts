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
 * Each kind of problem is a subclass with its own code, e.g. `SourceNotFoundError`. Those that the OpenAPI document lists
 * have `status`, `code` and the text of their documentation, `when`, as static members (see `ApiProblems`).
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
  static readonly status = 400;
  static readonly code = 'invalid_request';
  static readonly when = 'The request is not valid.';
  readonly status = InvalidRequestError.status;
  readonly code = InvalidRequestError.code;

  constructor(override readonly errors: readonly ProblemDetail[]) {
    super(errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));
  }
}

/** Something this service depends on is away; the same request may succeed a little later. */
export class DependencyDownError extends Problem {
  static readonly status = 503;
  static readonly code = 'dependency_down';
  static readonly when =
    'Something that the service depends on is away; `Retry-After` says how long to wait.';
  readonly status = DependencyDownError.status;
  readonly code = DependencyDownError.code;
  override readonly retryAfterSeconds = 5;

  constructor(what: string) {
    super(`${what} cannot be reached right now. Try again in a few seconds.`);
  }
}
