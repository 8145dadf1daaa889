import type { Subject } from '../events/customer-event';
import { userIdOf } from '../events/subject';
import { Problem } from '../platform/http/problem';

export class ProfileNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'profile_not_found';
  static readonly when = 'There is no profile of this user.';
  readonly status = ProfileNotFoundError.status;
  readonly code = ProfileNotFoundError.code;

  /** @param isVisitor an anonymous visitor has the id that was asked for as a user's */
  constructor(subject: Subject, isVisitor = false) {
    const who = userIdOf(subject) === undefined ? 'anonymous visitor' : 'user';
    const id = JSON.stringify(subject.slice(2));
    const hint = isVisitor ? ' It is an anonymous id: ask with ?by=anonymousId.' : '';
    super(`There is no profile of the ${who} ${id}.${hint}`);
  }
}

/** No event was about the group. */
export class GroupNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'group_not_found';
  static readonly when = 'No accepted event was about this group.';
  readonly status = GroupNotFoundError.status;
  readonly code = GroupNotFoundError.code;

  constructor(groupId: string) {
    super(`There is no group ${JSON.stringify(groupId)}.`);
  }
}
