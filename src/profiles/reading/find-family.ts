import type { Repository } from 'typeorm';
import type { Subject } from '../../events/customer-event';
import { Profile } from '../profile.entity';
import { rootOfSql } from '../identity/subjects-sql';
import { ProfileNotFoundError } from '../profile-problems';

/** The profile that a subject belongs to, and the ids that do as well, in their order. @throws ProfileNotFoundError */
export async function findFamily(
  subject: Subject,
  profiles: Repository<Profile>,
): Promise<[Profile, ...Profile[]]> {
  const profile = await profiles
    .createQueryBuilder('p')
    .where(`p.subject = ${rootOfSql(':subject')}`, { subject })
    .andWhere('p.eventCount > 0')
    .getOne();
  if (profile === null) throw new ProfileNotFoundError(subject);
  const members = await profiles.find({
    select: { subject: true, onlyAliased: true },
    where: { mergedInto: profile.subject },
    order: { subject: 'asc' },
  });
  return [profile, ...members];
}
