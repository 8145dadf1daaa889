import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/prepared';
import type { Subject } from './customer-event';

/** An event that is in the inbox now was accepted while this went on: it is what is new, and stays. */
const findOfPeopleSql = prepared('find_events_of_people')`
    select subject, "timestamp"::text, id from event
    where subject = any($1::text[]) and id <> all(array(select unnest(event_ids) from inbox where subjects && $1::text[]))
    order by subject, event."timestamp", id limit $2`;
const forgetEventsSql = prepared('forget_events')`
    delete from event as e using unnest($1::text[], $2::timestamptz[], $3::uuid[]) as k(subject, "timestamp", id)
    where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id and e.id between $4 and $5`;

/**
 * Deletes at most `limit` events of people who are erased.
 * @returns how many; fewer than `limit` when none are left
 */
export async function forgetEvents(subjects: readonly Subject[], limit: number, tx: Tx): Promise<number> {
  const found = await tx.query<{ subject: Subject; timestamp: string; id: string }>(findOfPeopleSql, [
    subjects,
    limit,
  ]);
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  const sorted = ids.toSorted();
  await tx.query(forgetEventsSql, [
    found.map(({ subject }) => subject),
    found.map(({ timestamp }) => timestamp),
    ids,
    sorted[0],
    sorted.at(-1),
  ]);
  return found.length;
}

/** Deletes the notes that events of these people could not be processed. */
export async function forgetDeadEvents(subjects: readonly Subject[], tx: Tx): Promise<void> {
  await tx.query('delete from dead_event where subject = any($1::text[])', [subjects]);
}

/** Whether an event of one of these subjects is stored, processed or not. */
export async function hasEvents(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(
    'select exists (select from event where subject = any($1::text[])) as held',
    [subjects],
  );
  return row?.held === true;
}
