import type { components } from '../../generated/schema';

type Problem = components['schemas']['ProblemDto'];

const UNREACHABLE = 'unreachable';

/** An answer that is no success, as RFC 9457 describes it, or no answer at all. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly details: Problem['errors'],
    readonly requestId: string | undefined,
  ) {
    super(message);
  }

  /** @param body what came, which is a problem unless something between the page and the service answered */
  static from(body: unknown, response: Response): ProblemError {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
    return new ProblemError(
      problem.detail ?? `The service answered ${response.status}.`,
      response.status,
      problem.code ?? 'unknown',
      problem.errors ?? [],
      problem.requestId ?? response.headers.get('x-request-id') ?? undefined,
    );
  }

  /** What went wrong, whatever was thrown. */
  static of(error: unknown): ProblemError {
    if (error instanceof ProblemError) return error;
    const message = error instanceof Error ? error.message : String(error);
    // What `fetch` throws where no answer comes, or breaks off.
    if (error instanceof TypeError)
      return new ProblemError(`The service cannot be reached: ${message}`, 0, UNREACHABLE, [], undefined);
    return new ProblemError(message, 0, 'console', [], undefined);
  }

  /** Whether the same may be answered in a moment: after a restart, or when a network is back. */
  get mayPass(): boolean {
    return this.code === UNREACHABLE || this.status === 429 || this.status >= 500;
  }
}
