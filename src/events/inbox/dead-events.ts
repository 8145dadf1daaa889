import { newRowId } from '../../platform/database/connections/database-clock';
import type { OpenTransaction, Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { EventKey } from '../customer-event';
import { keepErasuresOut } from '../erasure-gate';

/** Which event could not be processed, and when: one that is given another chance may fail once more. */
export interface DeadEventKey {
  readonly eventId: string;
  /** In milliseconds since 1970. */
  readonly failedAtMs: number;
}

/** An event that could not be processed, and why. */
export interface DeadEvent extends DeadEventKey {
  readonly reason: string;
}

const MAX_REASON_CHARACTERS = 1_000;

const buryEventSql = prepared('bury_event')`
    insert into dead_event (event_id, subject, "timestamp", reason) values ($1, $2, $3, $4)
    on conflict (event_id) do update set reason = excluded.reason, failed_at = excluded.failed_at, filed = false`;

/** Whether there are dead events that the dead-letter queue does not show yet. */
export const anyUnfiledSql = 'select exists (select from dead_event where not filed)';

const KEY = `event_id as "eventId", floor(extract(epoch from failed_at) * 1000)::float8 as "failedAtMs"`;

const unfiledEventsSql = prepared('unfiled_dead_events')`
    select ${KEY}, reason from dead_event
    where not filed order by event_id limit $1`;

const newestDeadEventsSql = prepared('newest_dead_events')`
    select ${KEY} from dead_event order by event_id desc limit $1`;

const deadEventsAmongSql = prepared('dead_events_among')`
    select ${KEY} from dead_event where event_id = any($1::uuid[])`;

const fileEventsSql = prepared('file_dead_events')`
  update dead_event set filed = true where event_id = any($1::uuid[])`;

const unfileEventsSql = prepared('unfile_dead_events')`
  update dead_event set filed = false where event_id = any($1::uuid[]) and filed`;

/** Puts the event $1 back into the inbox, as the row $2, if it is stored still. */
const reviveEventSql = prepared('revive_event')`
    with dead as (
      delete from dead_event where event_id = $1 returning subject, "timestamp", event_id
    ), revived as (
      insert into inbox (id, subjects, timestamps, event_ids)
      select $2, array[subject], array["timestamp"], array[event_id] from dead
      where exists (
        select from event e where e.subject = dead.subject and e."timestamp" = dead."timestamp" and e.id = $1)
      returning id
    )
    select exists (select from revived) as "isStored" from dead`;

/** Forgets dead events with ids below $1. */
export const forgetDeadEventsBelowSql = 'delete from dead_event where event_id < $1';

/** What became of a dead event that was to get another chance. */
export type Revival = 'revived' | 'not_stored' | 'not_dead';

/** Takes note of an event that can never be processed as it is. */
export async function buryEvent({ subject, timestamp, id }: EventKey, reason: string, tx: Tx): Promise<void> {
  const text = reason.replaceAll('\0', '').slice(0, MAX_REASON_CHARACTERS);
  await tx.query(buryEventSql, [id, subject, timestamp, text]);
}

/** Dead events that the dead-letter queue does not show yet. */
export function unfiledEvents(limit: number, tx: Tx): Promise<DeadEvent[]> {
  return tx.query<DeadEvent>(unfiledEventsSql, [limit]);
}

/** Notes that the dead-letter queue shows these events. */
export async function markFiled(eventIds: readonly string[], tx: Tx): Promise<void> {
  await tx.query(fileEventsSql, [eventIds]);
}

/** Notes that the dead-letter queue does not show these events any more. */
export async function markUnfiled(eventIds: readonly string[], tx: Tx): Promise<void> {
  if (eventIds.length > 0) await tx.query(unfileEventsSql, [eventIds]);
}

/** The dead events that came in last. */
export function findNewestDeadEvents(limit: number, tx: Tx): Promise<DeadEventKey[]> {
  return tx.query<DeadEventKey>(newestDeadEventsSql, [limit]);
}

/** Those of the events that are dead. */
export async function findDeadEventsAmong(eventIds: readonly string[], tx: Tx): Promise<DeadEventKey[]> {
  if (eventIds.length === 0) return [];
  return tx.query<DeadEventKey>(deadEventsAmongSql, [eventIds]);
}

/** Gives a dead event another chance. One that is not stored any more is forgotten: there is nothing to process. */
export async function reviveEvent(eventId: string, tx: OpenTransaction): Promise<Revival> {
  // An erasure that is under way takes what comes into the inbox for new, and would leave the event there.
  await keepErasuresOut(tx);
  const [dead] = await tx.query<{ isStored: boolean }>(reviveEventSql, [eventId, newRowId()]);
  if (dead === undefined) return 'not_dead';
  return dead.isStored ? 'revived' : 'not_stored';
}
