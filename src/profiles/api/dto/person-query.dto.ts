import type { Subject } from '../../../events/customer-event';
import { anonymousSubject, MAX_ID_LENGTH, userSubject } from '../../../events/subject';
import { OptionalOneOf } from '../../../platform/http/input/optional-members';
import { InvalidRequestError } from '../../../platform/http/problems/problem';
import { ProfileNotFoundError } from '../../profile-problems';

/** By what people are known. */
export const ID_KINDS = ['userId', 'anonymousId'] as const;

/** What kind of id the path names a person by. */
export class PersonQueryDto {
  @OptionalOneOf(ID_KINDS, {
    default: 'userId',
    description:
      'What the id in the path is. By an anonymous id that belongs to a user, the person is that user.',
  })
  by?: (typeof ID_KINDS)[number];
}

/**
 * The subject that an id in the path stands for.
 * @throws InvalidRequestError when it is longer than any of an event; ProfileNotFoundError when PostgreSQL knows no
 * such text
 */
export function subjectBy(id: string, by: PersonQueryDto['by']): Subject {
  if (id.length > MAX_ID_LENGTH) {
    const message = `userId in the path must have ${MAX_ID_LENGTH} characters at most`;
    throw new InvalidRequestError([{ path: 'userId', code: 'invalid_id', message }]);
  }
  const subject = by === 'anonymousId' ? anonymousSubject(id) : userSubject(id);
  if (subject.includes('\0')) throw new ProfileNotFoundError(subject);
  return subject;
}
