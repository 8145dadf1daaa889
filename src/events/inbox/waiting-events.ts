import type { Tx } from '../../platform/database/database';
import type { CustomerEvent, Subject } from '../customer-event';
import { forgetEventsByKey, type StoredKey } from '../forget-events';
import { lowestId } from '../partitions/partition-plan';

/** Of the inbox in one part: each has up to a thousand events, and 2 MB. */
const PART_ROWS = 16;

/** What was deleted of some rows of the inbox. */
interface ForgottenPart {
  readonly events: number;
  /** The last of the rows; undefined when there are no more of them. */
  readonly last: string | undefined;
}

/** Waits for the workers that have events of the person in their hands. */
const lockInboxSql = 'select id from inbox where subjects && $1::text[] order by id for update';

/** Takes events out of rows of the inbox. @param stays which do not go: of `k`, an event in a row, and $1 */
const stripInboxSql = (stays: string): string => `
  with stripped as (
    select i.id,
      array_agg(k.subject order by k.n) filter (where ${stays}) as subjects,
      array_agg(k.at order by k.n) filter (where ${stays}) as timestamps,
      array_agg(k.event_id order by k.n) filter (where ${stays}) as event_ids
    from inbox as i
    cross join lateral unnest(i.subjects, i.timestamps, i.event_ids) with ordinality as k(subject, at, event_id, n)
    where i.id = any($2::uuid[])
    group by i.id
  ), emptied as (
    delete from inbox where id in (select id from stripped where event_ids is null)
  )
  update inbox as i set subjects = s.subjects, timestamps = s.timestamps, event_ids = s.event_ids
  from stripped as s where i.id = s.id and s.event_ids is not null`;
const stripPeopleSql = stripInboxSql('k.subject <> all($1::text[])');
const stripEventsSql = stripInboxSql('k.event_id not in (select unnest($1::uuid[]))');

const countSql = `
  select count(*)::integer as count
  from (select from inbox, unnest(subjects) as s where subjects && $1::text[] and s = any($1::text[]) limit $2) as found`;

const someRowsSql = `select id from inbox where subjects && $1::text[] and id > $2 order by id limit ${PART_ROWS}`;
const lockSomeRowsSql = `${someRowsSql} for update`;

/** Events of the people $1 that are accepted and not processed, in the rows $2, in the order in which they will be. */
const waitingEventsSql = `
  select e.payload::text as payload, k.subject, k.at::text as timestamp, k.event_id as id
  from inbox as i
  cross join lateral unnest(i.subjects, i.timestamps, i.event_ids) with ordinality as k(subject, at, event_id, n)
  cross join lateral (
    select payload from event where subject = k.subject and "timestamp" = k.at and id = k.event_id limit 1
  ) as e
  where i.subjects && $1::text[] and k.subject = any($1::text[]) and i.id = any($2::uuid[])
  order by i.id, k.n`;

/**
 * Waits for the workers that have events of these people in their hands. Returns the inbox rows that are locked now.
 */
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
  await tx.query(stripPeopleSql, [subjects, inboxIds]);
}

/** The events of these people that are accepted and not processed, in the order in which they will be, part by part. */
export async function* readWaitingEvents(
  subjects: readonly Subject[],
  tx: Tx,
): AsyncGenerator<readonly CustomerEvent[]> {
  for (let after = lowestId(0); ;) {
    const rows = await tx.query<{ id: string }>(someRowsSql, [subjects, after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    const inboxIds = rows.map(({ id }) => id);
    yield (await readWaiting(subjects, inboxIds, tx)).map(({ event }) => event);
    if (rows.length < PART_ROWS) return;
    after = last.id;
  }
}

/** How many events of these people are accepted and not processed, counted up to `limit`. */
export async function countWaitingEvents(
  subjects: readonly Subject[],
  limit: number,
  tx: Tx,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countSql, [subjects, limit]);
  return row?.count ?? 0;
}

/**
 * Deletes events of these people that wait in the next rows of the inbox. Waits for the workers that have these rows in
 * their hands.
 * @param after the last row of the part before
 * @param stays which of the events remain
 */
export async function forgetWaitingPart(
  subjects: readonly Subject[],
  after: string,
  stays: (event: CustomerEvent) => boolean,
  tx: Tx,
): Promise<ForgottenPart> {
  const rows = await tx.query<{ id: string }>(lockSomeRowsSql, [subjects, after]);
  const inboxIds = rows.map(({ id }) => id);
  const waiting = await readWaiting(subjects, inboxIds, tx);
  const keys = waiting.filter(({ event }) => !stays(event)).map(({ key }) => key);
  await tx.query(stripEventsSql, [keys.map(({ id }) => id), inboxIds]);
  await forgetEventsByKey(keys, tx);
  return { events: keys.length, last: rows.length < PART_ROWS ? undefined : inboxIds.at(-1) };
}

async function readWaiting(
  subjects: readonly Subject[],
  inboxIds: readonly string[],
  tx: Tx,
): Promise<{ readonly event: CustomerEvent; readonly key: StoredKey }[]> {
  const rows = await tx.query<StoredKey & { payload: string }>(waitingEventsSql, [subjects, inboxIds]);
  return rows.map(({ payload, ...key }) => ({
    event: { ...(JSON.parse(payload) as CustomerEvent), subject: key.subject },
    key,
  }));
}
