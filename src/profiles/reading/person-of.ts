import type { ProfileDto } from '../api/dto/profile.dto';
import { ProfileSummaryDto, type SeenProfile } from '../api/dto/profile-summary.dto';
import { idsOf, type PersonSubject } from '../identity/ids-of';

/** What the API shows of a person, and code of operators sees: all that stands in a profile. */
export type Person = Omit<ProfileDto, 'computed' | 'segments' | 'events' | 'nextCursor'>;

/** Of a profile with events, and the ids that belong to it, in their order. */
export function personOf(profile: SeenProfile, members: readonly PersonSubject[]): Person {
  const { userIds, anonymousIds } = idsOf([{ subject: profile.subject, onlyAliased: false }, ...members]);
  const { userId: _same, ...seen } = ProfileSummaryDto.from(profile);
  return { userId: userIds[0] ?? null, mergedUserIds: userIds.slice(1), anonymousIds, ...seen };
}
