import { LONG_STATEMENT_MS, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/**
 * How many users are in a generation, kept beside the members: to count a million of them takes a fifth of a second.
 * Every transaction that changes the members of a readable generation adds a row with the difference, so that none
 * waits for a counter; the number is the sum. Anonymous visitors do not count.
 */

/** Whether a subject is a user. 'u;' is the first text behind all that start with 'u:'. */
export const isUserSql = (subject: string): string => `(${subject} >= 'u:' and ${subject} < 'u;')`;

/** For `with … as ()`: adds differences (an integer[]) to generations (an integer[]). */
export function addDifferencesSql(generations: string, differences: string): string {
  return `insert into segment_member_count (generation, members)
    select * from unnest(${generations}::integer[], ${differences}::integer[])`;
}

/** Behind `with gone as (delete from segment_member … returning subject, generation, member)`. */
export const subtractGoneSql = `
  insert into segment_member_count (generation, members)
  select generation, -count(*) from gone where member and ${isUserSql('subject')} group by generation`;

/**
 * The statement sees one state of the database: the differences that it sees are in the members that it counts
 * already; those of later come on top.
 */
const countSql = prepared('segment_count_generation', { limitMs: LONG_STATEMENT_MS })`
  insert into segment_member_count (generation, members, counted)
  select $1::integer,
    (select count(*) from segment_member where generation = $1 and member and ${isUserSql('subject')})
      - coalesce((select sum(members) from segment_member_count where generation = $1), 0), true`;

/** Rows of a generation that are worth being put together. */
const MANY_ROWS = 50;
const findFoldableSql = prepared('segment_find_counts_to_fold')`
    select generation from segment_member_count c group by generation
    having count(*) > ${MANY_ROWS} or not exists (select from segment s where s.live_generation = c.generation)`;
/** A transaction adds up only what it deletes itself, so any number of them may do this at once. */
const foldSql = prepared('segment_fold_counts')`
    with gone as (
      delete from segment_member_count where generation = any($1::integer[])
      returning generation, members, counted
    ), sums as materialized (
      select generation, sum(members) as members, bool_or(counted) as counted from gone
      where generation in (select live_generation from segment) group by generation
    )
    insert into segment_member_count (generation, members, counted) select * from sums`;

/** Counts the members of a generation that has become readable. */
export async function countGeneration(generation: number, tx: Tx): Promise<void> {
  await tx.query(countSql, [generation]);
}

/** Puts differences together where there are many, and forgets generations that are not read any more. */
export async function foldCounts(tx: Tx): Promise<void> {
  const foldable = await tx.query<{ generation: number }>(findFoldableSql);
  if (foldable.length > 0) await tx.query(foldSql, [foldable.map(({ generation }) => generation)]);
}
