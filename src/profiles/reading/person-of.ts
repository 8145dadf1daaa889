import type { ProfileDto } from '../api/dto/profile.dto';
import { ProfileSummaryDto } from '../api/dto/profile-summary.dto';
import { idsOf } from '../identity/ids-of';
import type { FoundPerson } from './read-person';

/** What the API shows of a person, and code of operators sees: all that stands in a profile. */
type Person = Omit<ProfileDto, 'computed' | 'segments' | 'events' | 'nextCursor'>;

export function personOf(found: FoundPerson): Person {
  const { userIds, anonymousIds } = idsOf(found.subjects);
  const { userId: _same, ...seen } = ProfileSummaryDto.from(found);
  return { userId: userIds[0] ?? null, mergedUserIds: userIds.slice(1), anonymousIds, ...seen };
}
