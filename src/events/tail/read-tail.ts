import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { writerSql } from '../../platform/database/statements/row-writer';
import type { Subject } from '../customer-event';
import type { EventKeyArrays } from '../event-key-arrays';
import type { KeptRejection } from '../rejected/find-rejected-events';
import { somebodyListens } from './tail-listeners';

/** Keys of events that were accepted together. */
export interface AcceptedEntry extends EventKeyArrays {
  readonly rejected: null;
  readonly events: number;
}

/** An event that was not accepted. */
export interface TailedRejection extends KeptRejection {
  readonly subjects: Subject[];
  /** How many more like it came with it, of which nothing was noted. */
  readonly others: number;
  /** Where it is not rejected, but kept apart. */
  readonly quarantine?: TailedQuarantine;
}

/** By which tracking plan an event is kept apart. */
export interface TailedQuarantine {
  readonly planId: string;
  readonly planVersion: number;
  readonly subject: Subject;
  /** When it happened, in milliseconds since 1970. */
  readonly timestampMs: number;
}

export interface RejectedEntry {
  readonly rejected: TailedRejection;
}

export type TailEntry = AcceptedEntry | RejectedEntry;

/** What was written to the tail between two snapshots. */
interface TailPart {
  /** Up to which this is, as PostgreSQL writes it. */
  readonly snapshot: string;
  readonly entries: TailEntry[];
  /** Events beyond {@link MAX_EVENTS}, and {@link MAX_REJECTED_BYTES}. */
  readonly leftOut: number;
}

/** Of one part. Their keys have some 100 bytes each. */
const MAX_EVENTS = 5_000;
/** Of those that were not accepted, as they are told: each may have 32 KB. */
const MAX_REJECTED_BYTES = 2 * 1024 * 1024;
/** How long what was told can be read again, by a client that was cut off. */
const KEPT_SECONDS = 30;

// Visible now and not then: also what was given its id long before, and committed only now.
const readTailSql = prepared('read_tail')`
    with fresh as materialized (
      select *, coalesce(cardinality(event_ids), 1) as events,
        sum(coalesce(cardinality(event_ids), 1)) over (order by id rows unbounded preceding) as total,
        sum(octet_length(rejected::text)) over (order by id rows unbounded preceding) as bytes
      from (select *, ${writerSql('tail_entry')} as writer from tail_entry) as e
      where not pg_visible_in_snapshot(writer, $1::pg_snapshot)
        and ($2::pg_snapshot is null or pg_visible_in_snapshot(writer, $2::pg_snapshot))
    ), kept as materialized (
      select * from fresh where total <= ${MAX_EVENTS} and (rejected is null or bytes <= ${MAX_REJECTED_BYTES})
    )
    select pg_current_snapshot()::text as snapshot,
      (select coalesce(sum(events), 0)::int from fresh) - (select coalesce(sum(events), 0)::int from kept) as "leftOut",
      f.id, f.rejected, f.events, f.subjects::text as subjects, f.timestamps::text as timestamps, f.event_ids::text as ids,
      (select id from unnest(f.event_ids) as id order by id limit 1) as "lowestId",
      (select id from unnest(f.event_ids) as id order by id desc limit 1) as "highestId"
    from (select) as one left join kept as f on true
    order by f.id`;
// Asked of a table: what is read goes by the snapshots of the server that has it.
const tailNowSql =
  'select pg_current_snapshot()::text as snapshot from (select count(*) from tail_listener) as listeners';
const pruneSql = `
  delete from tail_entry
  where created_at < now() - interval '${KEPT_SECONDS} seconds' or not ${somebodyListens}`;
// The keys of others stay where they are; one of nobody finds no event.
const forgetSql = `
  with erased as (delete from tail_entry where rejected is not null and subjects && $1::text[])
  update tail_entry
  set subjects = array(
    select case when s.subject = any($1::text[]) then '' else s.subject end
    from unnest(subjects) with ordinality as s(subject, n) order by s.n)
  where rejected is null and subjects && $1::text[] returning 1`;

/** The snapshot up to which the tail is written now. */
export async function tailNow(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ snapshot: string }>(tailNowSql);
  return row?.snapshot ?? '';
}

/** What was written after a snapshot, up to another one or up to now. */
export async function readTail(since: string, until: string | undefined, tx: Tx): Promise<TailPart> {
  const rows = await tx.query<TailEntry & { snapshot: string; leftOut: number; id: string | null }>(
    readTailSql,
    [since, until ?? null],
  );
  const [{ snapshot, leftOut } = { snapshot: since, leftOut: 0 }] = rows;
  return { snapshot, leftOut, entries: rows.filter(({ id }) => id !== null) };
}

/** Deletes what nobody will read any more: all of it, when nobody listens. */
export async function pruneTail(tx: Tx): Promise<void> {
  await tx.query(pruneSql);
}

/** Takes people who are erased out of the tail. */
export async function forgetInTail(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return (await tx.query(forgetSql, [subjects])).length;
}
