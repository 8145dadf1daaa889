import type { Tx } from '../platform/database/database';
import { countRows } from '../platform/database/statements/count-rows';
import { prepared } from '../platform/database/statements/prepared';
import { rangeOfIds } from '../platform/database/statements/range-of-ids';
import type { Subject } from './customer-event';

/**
 * An event that is in the inbox now was accepted while this went on: it is what is new, and stays. Locked, so that
 * somebody else who erases the person finds other events than these, and each is counted once.
 */
const findOfPeopleSql = prepared('find_events_of_people')`
    select subject, "timestamp"::text, id from event
    where subject = any($1::text[]) and id not in (select unnest(event_ids) from inbox where subjects && $1::text[])
    order by subject, event."timestamp", id limit $2 for update`;
/**
 * The lateral join with its limit looks up one key after the other, and each row is deleted where it was found. Of new
 * events PostgreSQL thinks that there are none: joined by their keys, it may compare each of them with each key. The id
 * says in which partition the address is: without it, the same address would be read in each of them.
 */
const forgetEventsSql = prepared('forget_events')`
    delete from event as e using (
      select distinct e.id, e.ctid as address
      from unnest($1::text[], $2::timestamptz[], $3::uuid[]) as k(subject, "timestamp", id)
      cross join lateral (
        select e.id, e.ctid from event as e
        where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id and e.id between $4 and $5
        limit 1
      ) as e
    ) as found
    where e.id = found.id and e.ctid = found.address and e.id between $4 and $5`;
const countOfPeopleSql = prepared('count_events_of_people')`
    select count(*)::integer as count from (select from event where subject = any($1::text[]) limit $2) as found`;

/** The whole key of an event, its time as PostgreSQL writes it: to the microsecond. */
export interface StoredKey {
  readonly subject: Subject;
  readonly timestamp: string;
  readonly id: string;
}

/**
 * Deletes at most `limit` events of people who are erased.
 * @returns how many; fewer than `limit` when none are left
 */
export async function forgetEvents(subjects: readonly Subject[], limit: number, tx: Tx): Promise<number> {
  const found = await tx.query<StoredKey>(findOfPeopleSql, [subjects, limit]);
  await forgetEventsByKey(found, tx);
  return found.length;
}

/** Deletes these events. */
export async function forgetEventsByKey(keys: readonly StoredKey[], tx: Tx): Promise<void> {
  if (keys.length === 0) return;
  const ids = keys.map(({ id }) => id);
  await tx.query(forgetEventsSql, [
    keys.map(({ subject }) => subject),
    keys.map(({ timestamp }) => timestamp),
    ids,
    ...rangeOfIds(ids),
  ]);
}

/** How many events of these people are stored, counted up to `limit`. */
export async function countEventsOfPeople(
  subjects: readonly Subject[],
  limit: number,
  tx: Tx,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countOfPeopleSql, [subjects, limit]);
  return row?.count ?? 0;
}

/** Deletes the notes that events of these people could not be processed. */
export function forgetDeadEvents(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows('delete from dead_event where subject = any($1::text[])', [subjects], tx);
}

/** Whether an event of one of these subjects is stored, processed or not. */
export async function hasEvents(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(
    'select exists (select from event where subject = any($1::text[])) as held',
    [subjects],
  );
  return row?.held === true;
}
