import type { Subject } from '../events/customer-event';
import { userIdOf } from '../events/subject';
import { problem } from '../platform/http/problems/problem';

export class ProfileNotFoundError extends problem(
  404,
  'profile_not_found',
  'There is no profile of this user.',
) {
  /** @param isVisitor an anonymous visitor has the id that was asked for as a user's */
  constructor(subject: Subject, isVisitor = false) {
    const who = userIdOf(subject) === undefined ? 'anonymous visitor' : 'user';
    const id = JSON.stringify(subject.slice(2));
    const hint = isVisitor ? ' It is an anonymous id: ask with ?by=anonymousId.' : '';
    super(`There is no profile of the ${who} ${id}.${hint}`);
  }
}

/** No event was about the group. */
export class GroupNotFoundError extends problem(
  404,
  'group_not_found',
  'No accepted event was about this group.',
) {
  constructor(groupId: string) {
    super(`There is no group ${JSON.stringify(groupId)}.`);
  }
}
