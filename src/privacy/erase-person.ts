import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { keepUpkeepOut } from '../segments/erasure-gate';
import { forgetPeople } from '../segments/forget-people';

/** How many rows of each kind were deleted. */
export interface Erased {
  readonly events: number;
  readonly identities: number;
  readonly memberships: number;
  readonly deliveries: number;
}

const familySql = `
  with root as (
    select coalesce(merged_into, subject) as subject from profile where subject = $1
    union select $1
  )
  select subject from root
  union select p.subject from profile as p join root as r on p.merged_into = r.subject
  order by 1`;

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
    where i.subjects && $1::text[]
    group by i.id
  ), emptied as (
    delete from inbox where id in (select id from stripped where event_ids is null)
  )
  update inbox as i set subjects = s.subjects, timestamps = s.timestamps, event_ids = s.event_ids
  from stripped as s where i.id = s.id and s.event_ids is not null`;

/** In the one order in which profiles are locked; makes the rows of workers that have not committed wait, too. */
const lockProfilesSql = `
  insert into profile (subject) select s.subject from unnest($1::text[]) as s(subject) order by s.subject collate "C"
  on conflict (subject) do update set subject = excluded.subject where false`;

const deleteAttemptsSql = `
  delete from delivery_attempt where delivery_id in (
    select id from delivery where subject = any($1::text[]) and id >= $2::uuid
  )`;

/** Which tables hold something about a person, and how it is found. */
const COUNTED = {
  events: 'delete from event where subject = any($1::text[])',
  identities: 'delete from profile where subject = any($1::text[])',
};
const UNCOUNTED = [
  'delete from profile_day where subject = any($1::text[])',
  'delete from dead_event where subject = any($1::text[])',
];

/** All subjects of a person, the given one included. */
export async function familyOf(subject: Subject, tx: Tx): Promise<Subject[]> {
  const rows = await tx.query<{ subject: Subject }>(familySql, [subject]);
  return rows.map((row) => row.subject);
}

/**
 * Deletes the deliveries of a person whose ids are `fromId` or higher, with their tries. They are found by a walk
 * through the partitions since then: an index for it would cost every delivery something.
 */
export async function eraseDeliveries(subjects: readonly Subject[], fromId: string, tx: Tx): Promise<number> {
  await tx.query(deleteAttemptsSql, [subjects, fromId]);
  return countRows(
    'delete from delivery where subject = any($1::text[]) and id >= $2::uuid',
    [subjects, fromId],
    tx,
  );
}

/**
 * Deletes a person from all tables but the deliveries. First waits for whoever is at work on segments, and for workers
 * that are at the person's events, so that none of them brings something back; nothing that they need is locked while
 * it waits.
 */
export async function erasePerson(subjects: readonly Subject[], tx: Tx): Promise<Omit<Erased, 'deliveries'>> {
  await keepUpkeepOut(tx);
  await tx.query(lockInboxSql, [subjects]);
  await tx.query(stripInboxSql, [subjects]);
  const created = await countRows(lockProfilesSql, [subjects], tx);
  const events = await countRows(COUNTED.events, [subjects], tx);
  const identities = await countRows(COUNTED.identities, [subjects], tx);
  const memberships = await forgetPeople(subjects, tx);
  for (const sql of UNCOUNTED) await tx.query(sql, [subjects]);
  return { events, identities: identities - created, memberships };
}

async function countRows(sql: string, params: readonly unknown[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with changed as (${sql} returning 1) select count(*)::int as count from changed`,
    params,
  );
  return row?.count ?? 0;
}
