import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { SeenProfile } from '../api/dto/profile-summary.dto';
import type { PersonSubject } from '../identity/ids-of';
import { rootOfSql } from '../identity/subjects-sql';
import { type Person, personOf } from './person-of';

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

/** The person that a subject belongs to, with the subject of the profile; undefined where there is none. */
export async function readPerson(
  subject: Subject,
  tx: Tx,
): Promise<{ readonly root: Subject; readonly person: Person } | undefined> {
  const [row] = await tx.query<PersonRow>(readPersonSql, [subject]);
  if (row === undefined) return undefined;
  return { root: row.subject, person: personOf(row, row.members) };
}
