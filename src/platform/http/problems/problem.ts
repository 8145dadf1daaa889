import { problemsText } from './problem-text';

/** One thing that is wrong with a request. */
export interface ProblemDetail {
  /** Where: a JSON path such as `batch[3].event`, or the name of a query parameter or header. */
  readonly path: string;
  /** Stable, snake_case. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** Of an event that its tracking plan blocks: the rule of the plan. */
  readonly rule?: string;
}

/**
 * An answer that is not a success, thrown by services and turned into RFC 9457 problem details by the one filter. Each
 * kind of problem is a subclass with its own code, e.g. `SourceNotFoundError`: of {@link problem}, where its status is
 * always the same.
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

/**
 * The base of a kind of problem.
 * @param when when an operation returns it, for the documentation; what the caller is told, unless a class says more
 */
export function problem(status: number, code: string, when: string) {
  return class extends Problem {
    static readonly status = status;
    static readonly code = code;
    static readonly when = when;
    readonly status = status;
    readonly code = code;

    constructor(message = when) {
      super(message);
    }
  };
}

/**
 * The base of the problem that what an id names is not there.
 * @param thing such as `dead letter`
 * @param when as of {@link problem}
 */
export function notFound(thing: string, when = `There is no ${thing} with this id.`) {
  return class extends problem(404, `${thing.replaceAll(' ', '_')}_not_found`, when) {
    constructor(id: string) {
      super(`There is no ${thing} ${id}.`);
    }
  };
}

/** More help nobody, and an answer has an end. */
export const MAX_ERRORS = 100;

/** The request is not what the documentation asks for; `errors` names each place, or the first hundred. */
export class InvalidRequestError extends problem(400, 'invalid_request', 'The request is not valid.') {
  override readonly errors: readonly ProblemDetail[];

  constructor(errors: readonly ProblemDetail[]) {
    const told = errors.slice(0, MAX_ERRORS);
    super(problemsText(told) + (told.length < errors.length ? '; and more' : ''));
    this.errors = told;
  }
}

/** Something this service depends on is away; the same request may succeed a little later. */
export class DependencyDownError extends problem(
  503,
  'dependency_down',
  'Something that the service depends on is away, or too busy; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds = 5;

  constructor(what: string) {
    super(`${what} cannot be reached right now, or is too busy. Try again in a few seconds.`);
  }
}
