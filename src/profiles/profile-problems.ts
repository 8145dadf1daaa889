import { InvalidRequestError, Problem } from '../platform/http/problem';

export class ProfileNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'profile_not_found';

  constructor(userId: string) {
    super(`There is no profile of the user ${JSON.stringify(userId)}.`);
  }
}

/** A `cursor` that no answer of this service held. */
export class InvalidCursorError extends InvalidRequestError {
  constructor(message: string) {
    super([{ path: 'cursor', code: 'invalid_cursor', message }]);
  }
}
