import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';

/** Deliveries of a destination that were given up lately. */
export interface NewlyDead {
  readonly destinationId: string;
  readonly count: number;
  /** When the first of them was. */
  readonly since: Date;
  /** The one that was made last. */
  readonly newestId: string;
}

/** What is longer given up than this is no news. */
const NEWS = `interval '1 day'`;
/** From the beginning of a transaction, which is the time of what it gives up, to its commit; more than any takes. */
const LONGEST_TRANSACTION = `interval '5 minutes'`;

// A snapshot of another cluster, from before a restore, says nothing here: then the time has to do.
const readPlaceSql = prepared('read_place_of_newly_dead')`
  select seen::text, case when seen is null then tallied_at else least(tallied_at, now()) - ${LONGEST_TRANSACTION} end as since
  from (
    select tallied_at,
      case when pg_snapshot_xmax(tallied) <= pg_snapshot_xmax(pg_current_snapshot()) then tallied end as seen
    from delivery_upkeep) as upkeep`;

/** The transaction that wrote a row, of which the row keeps the last 32 bits. */
const writerOf = (row: string): string => `
  (next_xid - ((next_xid - ${row}.xmin::text::bigint) & 4294967295))::text::xid8`;

// Visible now and not then: what is given up bears the time at which its transaction began, and that may have been over
// when others were counted. Notices are left out, or one that is given up would lead to the next.
const tallySql = prepared('tally_newly_dead')`
  with died as (
    select d.destination_id, count(*), min(d.updated_at), max(d.id::text)::uuid
    from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next_xid) as now
    cross join delivery d left join unnest($3::uuid[], $4::timestamptz[]) as t(destination_id, at) using (destination_id)
    where d.state = 'dead' and d.event_type <> 'notice' and d.updated_at > greatest($2::timestamptz, now() - ${NEWS})
      and case when $1::pg_snapshot is null then t.at is null or d.updated_at > t.at
        else not pg_visible_in_snapshot(${writerOf('d')}, $1::pg_snapshot) end
    group by 1
  ), tallied as (
    insert into newly_dead as n (destination_id, count, since, newest_id) select * from died
    on conflict (destination_id) do update set count = n.count + excluded.count,
      since = least(n.since, excluded.since), newest_id = greatest(n.newest_id, excluded.newest_id)
  )
  update delivery_upkeep set tallied = pg_current_snapshot(), tallied_at = now()`;
const takeSql = prepared('take_newly_dead')`
  delete from newly_dead n
  where not exists (
    select from unnest($1::uuid[], $2::timestamptz[]) as t(id, at)
    where t.id = n.destination_id and t.at > now() - $3 * interval '1 millisecond')
  returning destination_id as "destinationId", count, since, newest_id as "newestId"`;

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
  const [place] = await tx.query<{ seen: string | null; since: Date | null }>(readPlaceSql);
  await tx.query(tallySql, [place?.seen ?? null, place?.since ?? null, ...told]);
  return tx.query<NewlyDead & Record<string, unknown>>(takeSql, [...told, quietMs]);
}
