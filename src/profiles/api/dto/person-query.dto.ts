import type { Subject } from '../../../events/customer-event';
import { anonymousSubject, userSubject } from '../../../events/subject';
import { OptionalOneOf } from '../../../platform/http/input/optional-members';

const ID_KINDS = ['userId', 'anonymousId'] as const;

/** What kind of id the path names a person by. */
export class PersonQueryDto {
  @OptionalOneOf(ID_KINDS, {
    default: 'userId',
    description:
      'What the id in the path is. By an anonymous id that belongs to a user, the person is that user.',
  })
  by?: (typeof ID_KINDS)[number];
}

/** The subject that an id in the path stands for. */
export function subjectBy(id: string, by: PersonQueryDto['by']): Subject {
  return by === 'anonymousId' ? anonymousSubject(id) : userSubject(id);
}
