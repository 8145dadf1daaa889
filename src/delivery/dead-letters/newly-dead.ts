import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { writerSql } from '../../platform/database/statements/row-writer';

/** Deliveries of a destination that were given up lately. */
export interface NewlyDead {
  readonly destinationId: string;
  readonly count: number;
  /** When the first of them was. */
  readonly since: Date;
  /** The one that was made last. */
  readonly newestId: string;
}

/** What was given up up to a snapshot of transactions, as JSON. */
type FoundDead = Record<'snapshot' | 'server' | 'died', string>;

/** What is longer given up than this is no news. */
const NEWS = `interval '1 day'`;
/** From the beginning of a transaction, which is the time of what it gives up, to its commit; more than any takes. */
const LONGEST_TRANSACTION = `interval '5 minutes'`;
/** Whose snapshots these are. */
const SERVER = 'select system_identifier from pg_control_system()';

// A snapshot of another server, from before a restore or a move to another node, says nothing here: then the time has
// to do.
const readSeenSql = prepared('read_seen_of_newly_dead')`
  select seen::text, case when seen is null then tallied_at else least(tallied_at, now()) - ${LONGEST_TRANSACTION} end as since
  from (
    select tallied_at, case when tallied_on = (${SERVER})
      and pg_snapshot_xmax(tallied) <= pg_snapshot_xmax(pg_current_snapshot()) then tallied end as seen
    from delivery_upkeep) as upkeep`;

// Visible now and not then: what is given up bears the time at which its transaction began, and that may have been over
// when others were counted. Notices are left out, or one that is given up would lead to the next.
const findSql = prepared('find_newly_dead')`
  select pg_current_snapshot()::text as snapshot, (${SERVER})::text as server, (
    select coalesce(json_agg(died), '[]') from (
      select d.destination_id, count(*), min(d.updated_at) as since, max(d.id::text)::uuid as newest_id
      from delivery d left join unnest($3::uuid[], $4::timestamptz[]) as t(destination_id, at) using (destination_id)
      where d.state = 'dead' and d.event_type <> 'notice' and d.updated_at > greatest($2::timestamptz, now() - ${NEWS})
        and case when $1::pg_snapshot is null then t.at is null or d.updated_at > t.at
          else not pg_visible_in_snapshot(${writerSql('d')}, $1::pg_snapshot) end
      group by 1
    ) as died
  )::text as died
  from delivery_upkeep`;
const addSql = prepared('add_newly_dead')`
  insert into newly_dead as n (destination_id, count, since, newest_id)
  select destination_id, count, since, newest_id from json_to_recordset($1::json)
    as died(destination_id uuid, count integer, since timestamptz, newest_id uuid)
  on conflict (destination_id) do update set count = n.count + excluded.count,
    since = least(n.since, excluded.since), newest_id = greatest(n.newest_id, excluded.newest_id)`;
const keepSeenSql = prepared('keep_seen_of_newly_dead')`
  update delivery_upkeep set tallied = $1::pg_snapshot, tallied_on = $2::bigint, tallied_at = now()`;
const takeSql = prepared('take_newly_dead')`
  delete from newly_dead n
  where not exists (
    select from unnest($1::uuid[], $2::timestamptz[]) as t(id, at)
    where t.id = n.destination_id and t.at > now() - $3 * interval '1 millisecond')
  returning destination_id as "destinationId", count, since, newest_id as "newestId"`;
const forgetSql = prepared('forget_newly_dead')`
  with forgotten as (delete from newly_dead)
  update delivery_upkeep set tallied = null, tallied_on = null, tallied_at = null`;

/**
 * Takes the count of what was given up, each delivery once each time, and begins a new one. Reads what is new since the
 * last call, of the last day at most; by one caller at a time.
 * @param toldAt when somebody was last told, by destination
 * @param quietMs what was told of within this time is counted on
 */
export async function takeNewlyDead(
  toldAt: ReadonlyMap<string, Date>,
  quietMs: number,
  tx: Tx,
): Promise<NewlyDead[]> {
  const told = [[...toldAt.keys()], [...toldAt.values()]];
  const [before] = await tx.query<{ seen: string | null; since: Date | null }>(readSeenSql);
  const params = [before?.seen ?? null, before?.since ?? null, ...told];
  for (const found of await tx.query<FoundDead>(findSql, params)) {
    await tx.query(addSql, [found.died]);
    await tx.query(keepSeenSql, [found.snapshot, found.server]);
  }
  return tx.query<NewlyDead>(takeSql, [...told, quietMs]);
}

/**
 * Forgets what was counted and up to where: whoever counts next begins with the last day. By the caller that counts.
 */
export async function forgetNewlyDead(tx: Tx): Promise<void> {
  await tx.query(forgetSql);
}
