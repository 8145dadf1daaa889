import type { JsonObject, Subject } from '../../events/customer-event';
import { userIdOf } from '../../events/subject';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { idsOf, type PersonSubject } from '../identity/ids-of';

/** A profile as code of operators sees it: as the API shows it, without its events and segments. */
export interface Person {
  readonly userId: string | null;
  readonly mergedUserIds: readonly string[];
  readonly anonymousIds: readonly string[];
  readonly traits: JsonObject;
  readonly groups: readonly string[];
  readonly eventCount: number;
  readonly firstSeenAt: string | null;
  readonly lastSeenAt: string | null;
}

interface PersonRow extends Record<string, unknown> {
  readonly subject: Subject;
  readonly members: readonly PersonSubject[];
  readonly traits: JsonObject;
  readonly groups: readonly string[];
  readonly eventCount: number;
  readonly firstSeenAt: Date | null;
  readonly lastSeenAt: Date | null;
}

const readPersonSql = prepared('read_person')`
  select p.subject, p.traits, p.groups, p.event_count::float8 as "eventCount", p.first_seen_at as "firstSeenAt",
    p.last_seen_at as "lastSeenAt",
    (select coalesce(json_agg(json_build_object('subject', m.subject, 'onlyAliased', m.only_aliased) order by m.subject),
      '[]') from profile as m where m.merged_into = p.subject) as members
  from profile as p
  where p.subject = (select coalesce(a.merged_into, a.subject) from profile as a where a.subject = $1)
    and p.event_count > 0`;

/** The person that a subject belongs to, with the subject of the profile; undefined where there is none. */
export async function readPerson(
  subject: Subject,
  tx: Tx,
): Promise<{ readonly root: Subject; readonly person: Person } | undefined> {
  const [row] = await tx.query<PersonRow>(readPersonSql, [subject]);
  if (row === undefined) return undefined;
  const { subject: root, members, traits, groups, eventCount, firstSeenAt, lastSeenAt } = row;
  const { userIds, anonymousIds } = idsOf([{ subject: root, onlyAliased: false }, ...members]);
  const person = {
    userId: userIdOf(root) ?? null,
    mergedUserIds: userIds.slice(1),
    anonymousIds,
    traits,
    groups: groups.toSorted(),
    eventCount,
    firstSeenAt: firstSeenAt?.toISOString() ?? null,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  };
  return { root, person };
}
