import type { Tx } from '../../platform/database/database';
import type { CustomerEvent, Subject } from '../customer-event';

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

/** Events of the people $1 that are accepted and not processed, in the order in which they will be. */
const waitingEventsSql = `
  select e.payload::text as payload, k.subject
  from inbox as i
  cross join lateral unnest(i.subjects, i.timestamps, i.event_ids) with ordinality as k(subject, at, event_id, n)
  cross join lateral (
    select payload from event where subject = k.subject and "timestamp" = k.at and id = k.event_id limit 1
  ) as e
  where i.subjects && $1::text[] and k.subject = any($1::text[])
  order by i.id, k.n`;

/** Waits for the workers that have events of these people in their hands. Returns the inbox rows that are locked now. */
export async function lockWaitingEvents(subjects: readonly Subject[], tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(lockInboxSql, [subjects]);
  return rows.map(({ id }) => id);
}

/** Takes the events of these people out of inbox rows that the transaction has locked. */
export async function forgetWaitingEvents(
  subjects: readonly Subject[],
  inboxIds: readonly string[],
  tx: Tx,
): Promise<void> {
  await tx.query(stripInboxSql, [subjects, inboxIds]);
}

/** The events of these people that are accepted and not processed, in the order in which they will be. */
export async function readWaitingEvents(subjects: readonly Subject[], tx: Tx): Promise<CustomerEvent[]> {
  const rows = await tx.query<{ payload: string; subject: Subject }>(waitingEventsSql, [subjects]);
  return rows.map(({ payload, subject }) => ({ ...(JSON.parse(payload) as CustomerEvent), subject }));
}
