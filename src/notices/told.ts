import { lockKeySql } from '../platform/database/transactions/advisory-lock';
import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import type { Findings, Look, Told } from './look';

/** A look that is due later than this was given its time while PostgreSQL's clock was ahead. */
const MAX_WAIT = `interval '10 minutes'`;

// One process at a time, and none that comes a moment after it: what it finds out is told by then.
const lockSql = prepared('lock_look')`
  select pg_try_advisory_xact_lock(${lockKeySql("'notice_look ' || $1")}) as locked`;
const addLookSql = prepared('add_look')`
  insert into notice_look (name, due_at) values ($1, '-infinity') on conflict (name) do nothing`;
const rescheduleLookSql = prepared('reschedule_look')`
  update notice_look set due_at = now() + $2 * interval '1 millisecond'
  where name = $1 and (due_at <= now() or due_at > now() + ${MAX_WAIT})
  returning due_at`;
const readToldSql = prepared('read_told')`select about_id as id, state, at from told_state where look = $1`;
const keepToldSql = prepared('keep_told')`
  insert into told_state (look, about_id, state) select $1, * from unnest($2::uuid[], $3::text[])
  on conflict (look, about_id) do update set state = excluded.state, at = excluded.at`;
const forgetLookSql = prepared('forget_look')`
  with forgotten as (delete from told_state where look = $1)
  delete from notice_look where name = $1`;
const forgetToldSql = prepared('forget_told')`
  delete from told_state where look = $1 and about_id = any($2::uuid[])`;

/** A look that was taken, and whether it is to be taken again. */
export interface TakenLook {
  readonly name: string;
  readonly isDue: boolean;
}

/** All that were taken: an array of JSON. */
export const takenLooksSql = `
  select coalesce(json_agg(json_build_object(
    'name', name, 'isDue', due_at <= now() or due_at > now() + ${MAX_WAIT})), '[]') from notice_look`;

/** Has this transaction take the look, if it is due and no other process is at it. Returns PostgreSQL's time. */
export async function takeLook({ name, everyMs }: Look, tx: Tx): Promise<Date | undefined> {
  const [held] = await tx.query<{ locked: boolean }>(lockSql, [name]);
  if (held?.locked !== true) return undefined;
  await tx.query(addLookSql, [name]);
  const [taken] = await tx.query<{ due_at: Date }>(rescheduleLookSql, [name, everyMs]);
  return taken && new Date(taken.due_at.getTime() - everyMs);
}

/** What was told, by id. */
export async function readTold({ name }: Look, tx: Tx): Promise<Map<string, Told>> {
  const rows = await tx.query<{ id: string; state: string; at: Date }>(readToldSql, [name]);
  return new Map(rows.map(({ id, state, at }) => [id, { state, at }]));
}

/** Notes what is told in the same transaction. */
export async function keepTold({ name }: Look, told: Findings['told'], tx: Tx): Promise<void> {
  const kept = [...told].filter((entry): entry is [string, string] => entry[1] !== undefined);
  const over = [...told.keys()].filter((id) => told.get(id) === undefined);
  const states = kept.map(([, state]) => state);
  if (kept.length > 0) await tx.query(keepToldSql, [name, kept.map(([id]) => id), states]);
  if (over.length > 0) await tx.query(forgetToldSql, [name, over]);
}

/** Nothing was told, then. */
export async function forgetLook({ name }: Look, tx: Tx): Promise<void> {
  await tx.query(forgetLookSql, [name]);
}
