import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { SeenProfile } from '../api/dto/profile-summary.dto';
import type { PersonSubject } from '../identity/ids-of';
import { rootOfSql } from '../identity/subjects-sql';
import { ProfileNotFoundError } from '../profile-problems';

/** A profile with events, and the ids that belong to it. */
export interface FoundPerson extends SeenProfile {
  /** All subjects of the person, that of the profile first. */
  readonly subjects: readonly [PersonSubject, ...PersonSubject[]];
}

interface PersonRow extends SeenProfile {
  readonly members: readonly PersonSubject[];
}

const readPersonSql = prepared('read_person')`
  select p.subject, p.traits, p.groups, p.event_count::float8 as "eventCount", p.first_seen_at as "firstSeenAt",
    p.last_seen_at as "lastSeenAt",
    (select coalesce(json_agg(json_build_object('subject', m.subject, 'onlyAliased', m.only_aliased) order by m.subject),
      '[]') from profile as m where m.merged_into = p.subject) as members
  from profile as p
  where p.subject = ${rootOfSql('$1')}
    and p.event_count > 0`;

/** The person that a subject belongs to; undefined where there is none. */
export async function readPerson(subject: Subject, tx: Tx): Promise<FoundPerson | undefined> {
  const [row] = await tx.query<PersonRow>(readPersonSql, [subject]);
  if (row === undefined) return undefined;
  const { members, ...profile } = row;
  return { ...profile, subjects: [{ subject: profile.subject, onlyAliased: false }, ...members] };
}

/** The same. @throws ProfileNotFoundError */
export async function findPerson(subject: Subject, tx: Tx): Promise<FoundPerson> {
  const person = await readPerson(subject, tx);
  if (person === undefined) throw new ProfileNotFoundError(subject);
  return person;
}
