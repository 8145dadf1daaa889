import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { EventKey } from '../customer-event';
import type { EventKeyArrays } from '../event-key-arrays';
import type { AcceptedRow } from './acceptance';

/** The keys of an inbox row, and how many they are. */
export interface InboxRow extends EventKeyArrays, AcceptedRow {
  readonly id: string;
  readonly events: number;
  /** The traceparent by event id, for those that are traced. */
  readonly traces: Readonly<Record<string, string>> | null;
}

/** The columns of {@link InboxRow}. The keys only pass through here on their way back. */
const rowColumnsSql = `
  id, subjects::text as subjects, timestamps::text as timestamps, event_ids::text as ids,
  (select id from unnest(event_ids) as id order by id limit 1) as "lowestId",
  (select id from unnest(event_ids) as id order by id desc limit 1) as "highestId",
  cardinality(event_ids) as events, traces, coalesce(accepted, 0)::text as accepted`;

const takeRowsSql = prepared('take_inbox_rows')`
    with taken as (
      delete from inbox where id = any(array(select id from inbox where id = any($1::uuid[]) for update skip locked))
      returning *
    )
    select ${rowColumnsSql} from taken order by id`;

/** Takes of the $2 oldest rows as many as hold $1 events together; fewer when other workers want the same ones. */
const takeFurtherRowsSql = prepared('take_further_inbox_rows')`
    with waiting as materialized (
      select id, cardinality(event_ids) as events from inbox order by id limit $2
    ), chosen as materialized (
      select id from (select id, sum(events) over (order by id) as total from waiting) as w where total <= $1
    ), locked as materialized (
      select id from inbox where id = any(array(select id from chosen)) for update skip locked
    ), taken as (
      delete from inbox where id = any(array(select id from locked)) returning *
    )
    select ${rowColumnsSql} from taken order by id`;

/** The keys of a row that no other worker has. */
const lockRowSql = prepared('lock_inbox_row')`
  select ${rowColumnsSql} from inbox where id = $1 for update skip locked`;

/** Takes out of a row what stands before the event $2, or, when that is null, everything. */
const shortenRowSql = prepared('shorten_inbox_row')`
    with found as (
      select *, array_position(event_ids, $2::uuid) as position from inbox where id = $1
    ), left_of as (
      select id, subjects[position:] as subjects, timestamps[position:] as timestamps, event_ids[position:] as event_ids
      from found
    ), shortened as (
      update inbox as i set subjects = l.subjects, timestamps = l.timestamps, event_ids = l.event_ids
      from left_of as l where i.id = l.id and l.event_ids is not null
    )
    delete from inbox as i using left_of as l where i.id = l.id and l.event_ids is null`;

/** Takes the first event out of a row, if it is $2 or that is null. A row that another worker has is left to it. */
const takeFirstSql = prepared('take_first_of_inbox_row')`
    with taken as materialized (
      select * from inbox where id = $1 and ($2::uuid is null or event_ids[1] = $2) for update skip locked
    ), left_of as (
      select id, subjects[2:] as subjects, timestamps[2:] as timestamps, event_ids[2:] as event_ids from taken
    ), shortened as (
      update inbox as i set subjects = l.subjects, timestamps = l.timestamps, event_ids = l.event_ids
      from left_of as l where i.id = l.id and l.event_ids <> '{}'
    ), emptied as (
      delete from inbox as i using left_of as l where i.id = l.id and l.event_ids = '{}'
    )
    select subjects[1] as subject, timestamps[1]::text as "timestamp", event_ids[1] as id,
      coalesce(accepted, 0)::text as accepted from taken`;

/** Removes inbox rows, those apart that other workers have. */
export function takeInboxRows(inboxIds: readonly string[], tx: Tx): Promise<InboxRow[]> {
  return tx.query<InboxRow>(takeRowsSql, [inboxIds]);
}

/** Removes of the `maxRows` oldest rows as many as hold `maxEvents` together. */
export function takeFurtherInboxRows(maxEvents: number, maxRows: number, tx: Tx): Promise<InboxRow[]> {
  return tx.query<InboxRow>(takeFurtherRowsSql, [maxEvents, maxRows]);
}

/** Locks a row; answers none when another worker has it. */
export function lockInboxRow(inboxId: string, tx: Tx): Promise<InboxRow[]> {
  return tx.query<InboxRow>(lockRowSql, [inboxId]);
}

/** Removes the events before this one from a row that is locked; the row, when there is no such event. */
export async function shortenInboxRow(inboxId: string, firstLeft: string | undefined, tx: Tx): Promise<void> {
  await tx.query(shortenRowSql, [inboxId, firstLeft ?? null]);
}

/** The first event of a row. */
export type FirstOfRow = EventKey & Pick<AcceptedRow, 'accepted'>;

/**
 * Removes the first event of a row; answers its key, or nothing when another worker has the row.
 * @param expected its id: nothing is removed when it is another
 */
export async function takeFirstOfInboxRow(
  inboxId: string,
  tx: Tx,
  expected?: string,
): Promise<FirstOfRow | undefined> {
  const [first] = await tx.query<FirstOfRow>(takeFirstSql, [inboxId, expected ?? null]);
  return first;
}
