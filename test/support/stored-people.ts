import type { Tx } from '../../src/platform/database/database';
import { compare, type KnownPerson } from './profile-model';

/** The people that the database knows, whose subjects contain `marker`, to be compared with the model's. */
export async function storedPeople(marker: string, tx: Tx): Promise<KnownPerson[]> {
  const people = await tx.query<KnownPerson & Record<string, unknown>>(
    `select
      array(select x.subject from profile x where x.merged_into = p.subject) || p.subject as subjects,
      array(select x.subject from profile x where x.merged_into = p.subject and x.only_aliased) as "onlyAliased",
      p.traits, p.groups, p.event_count::int as "eventCount", p.event_totals as totals,
      (
        select coalesce(jsonb_object_agg(d.name || ' ' || d.day, d.count), '{}')
        from profile_day d where d.subject = p.subject
      ) as days,
      (extract(epoch from p.first_seen_at) * 1000)::float8 as "firstSeenMs",
      (extract(epoch from p.last_seen_at) * 1000)::float8 as "lastSeenMs"
    from profile p
    where p.merged_into is null and p.subject like '%' || $1 || '%'`,
    [marker],
  );
  return people
    .map((person) => ({
      ...person,
      subjects: [...person.subjects].sort(compare),
      onlyAliased: [...person.onlyAliased].sort(compare),
      groups: [...person.groups].sort(compare),
    }))
    .sort((a, b) => compare(a.subjects[0], b.subjects[0]));
}
