import { Problem } from '../platform/http/problem';

export class ProfileNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'profile_not_found';

  constructor(userId: string) {
    super(`There is no profile of the user ${JSON.stringify(userId)}.`);
  }
}
