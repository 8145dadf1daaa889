import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { LostRaceError } from '../platform/database/failure';
import { keepUpkeepOut } from '../events/erasure-gate';
import { forgetPeople } from '../segments/forget-people';
import { idsOf, type PersonIds, type PersonSubject } from '../profiles/identity/ids-of';
import { type Family, isWholeFamily } from './family';

/** How many rows of each kind were deleted. */
export interface Erased {
  readonly events: number;
  readonly identities: number;
  readonly memberships: number;
}

/** A person without a trace of him left, apart from deliveries. */
export interface ErasedPerson {
  readonly subjects: readonly Subject[];
  readonly ids: PersonIds;
  readonly erased: Erased;
}

/** Somebody linked another id to the person at the last moment; to be tried again. */
export class FamilyGrewError extends LostRaceError {}

/** Waits for the workers that have events of the person in their hands. */
const lockInboxSql = 'select id from inbox where subjects && $1::text[] order by id for update';

/** Takes the person's events out of the inbox. */
const stripInboxSql = `
  with stripped as (
    select i.id,
      array_agg(k.subject order by k.n) filter (where k.subject <> all($1::text[])) as subjects,
      array_agg(k.at order by k.n) filter (where k.subject <> all($1::text[])) as timestamps,
      array_agg(k.event_id order by k.n) filter (where k.subject <> all($1::text[])) as event_ids
    from inbox as i
    cross join lateral unnest(i.subjects, i.timestamps, i.event_ids) with ordinality as k(subject, at, event_id, n)
    where i.id = any($2::uuid[])
    group by i.id
  ), emptied as (
    delete from inbox where id in (select id from stripped where event_ids is null)
  )
  update inbox as i set subjects = s.subjects, timestamps = s.timestamps, event_ids = s.event_ids
  from stripped as s where i.id = s.id and s.event_ids is not null`;

/** Which of the subjects an alias alone has named; of an id that is not known yet, that it is a user's. The profile's own first. */
const subjectsSql = `
  select s.subject,
    coalesce(p.only_aliased, s.subject like 'a:%' and 'u:' || substr(s.subject, 3) = any($1::text[])) as "onlyAliased"
  from unnest($1::text[]) as s(subject) left join profile as p on p.subject = s.subject
  order by p.merged_into is not null, s.subject collate "C"`;

/** In the one order in which profiles are locked; makes the rows of workers that have not committed wait, too. */
const lockProfilesSql = `
  insert into profile (subject) select s.subject from unnest($1::text[]) as s(subject) order by s.subject collate "C"
  on conflict (subject) do update set subject = excluded.subject where false`;

/** An event that is in the inbox now was accepted while this went on: it is what is new, and stays. */
const deleteEventsSql = `
  delete from event where subject = any($1::text[]) and id <> all(array(
    select unnest(event_ids) from inbox where subjects && $1::text[]
  ))`;

/**
 * Deletes a person from all tables but the deliveries. First waits for whoever is at work on segments, and for workers
 * that are at the person's events, so that none of them brings something back; nothing that they need is locked while
 * it waits.
 *
 * @throws FamilyGrewError
 */
export async function erasePerson(subject: Subject, family: Family, tx: Tx): Promise<ErasedPerson> {
  await keepUpkeepOut(tx);
  const { subjects, inboxIds } = await waitForWorkers(subject, family, tx);
  await tx.query(stripInboxSql, [subjects, inboxIds]);
  const known = await tx.query<PersonSubject & Record<string, unknown>>(subjectsSql, [subjects]);
  const created = await countRows(lockProfilesSql, [subjects], tx);
  if (!(await isWholeFamily(subjects, tx))) throw new FamilyGrewError();
  const events = await countRows(deleteEventsSql, [subjects], tx);
  const identities = await countRows('delete from profile where subject = any($1::text[])', [subjects], tx);
  const memberships = await forgetPeople(subjects, tx);
  await tx.query('delete from profile_day where subject = any($1::text[])', [subjects]);
  await tx.query('delete from dead_event where subject = any($1::text[])', [subjects]);
  return { subjects, ids: idsOf(known), erased: { events, identities: identities - created, memberships } };
}

/** Goes on until the events that were waited for have linked nobody else. Answers the inbox rows that are locked now. */
async function waitForWorkers(
  subject: Subject,
  family: Family,
  tx: Tx,
): Promise<{ subjects: Subject[]; inboxIds: string[] }> {
  let subjects = await family.of(subject, tx);
  for (;;) {
    const rows = await tx.query<{ id: string }>(lockInboxSql, [subjects]);
    const now = await family.of(subject, tx);
    if (now.every((other) => subjects.includes(other))) {
      return { subjects: now, inboxIds: rows.map(({ id }) => id) };
    }
    subjects = now;
  }
}

async function countRows(sql: string, params: readonly unknown[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with changed as (${sql} returning 1) select count(*)::int as count from changed`,
    params,
  );
  return row?.count ?? 0;
}
