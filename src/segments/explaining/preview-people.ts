import type { JsonValue } from '../../events/customer-event';
import { userIdOf } from '../../events/subject';
import type { SqlValues } from '../../language/sql-values';
import type { Database, Tx } from '../../platform/database/database';
import { SCAN_TABLES_SQL } from '../../platform/database/statements/statement';
import { measureProfiles } from '../../profiles/measure-profiles';
import { isUserSql } from '../membership/member-counts';
import { Deadline } from './deadline';
import { estimatePeople, type FoundPerson, type PeopleSql } from './estimate-people';
import type { Estimate } from './estimate-total';

/** User ids that a preview answers at most, and where nobody says. */
export const MAX_SAMPLE = 100;
export const DEFAULT_SAMPLE = 10;
/** After this the answer is 503: better than holding a connection for a caller who has given up. */
const TIMEOUT_MS = 20_000;
/** Of the profile table, 8 KB each: so many people are counted while somebody waits. */
const SMALL_BLOCKS = 2_000;

/** People, as the profile `p`; each member is SQL. */
interface PeopleQuery {
  /** What stands behind the profile in `from`. */
  readonly joins?: string;
  /** Who is among them. */
  readonly test: string;
  /** What is answered of each, jsonb. */
  readonly value?: string;
  readonly values: SqlValues;
}

/** How much of them is asked for. */
interface PreviewSize {
  /** People to name. */
  readonly sample: number;
  /** Whether to count all of them, however many there are. */
  readonly exact: boolean;
}

/**
 * How many people there are, and some of them: the first in the order of members, of an estimate some that were found.
 */
interface PreviewedPeople extends Estimate {
  readonly estimated: boolean;
  readonly sample: readonly { readonly userId: string; readonly value: JsonValue }[];
}

/** How many people with a user id they are, and some of them; where there are many profiles, by an estimate. */
export async function previewPeople(
  { joins = '', test, value = `'null'::jsonb`, values }: PeopleQuery,
  { sample, exact }: PreviewSize,
  database: Database,
): Promise<PreviewedPeople> {
  const from = `from profile p${joins} where p.merged_into is null and ${isUserSql('p.subject')} and ${test}`;
  const people = { from, value, params: values.params };
  return database.transaction(async (tx) => {
    // Whoever is written anew meanwhile would be found in two places, or in none.
    await tx.query('set transaction isolation level repeatable read, read only');
    await tx.query(SCAN_TABLES_SQL);
    const deadline = new Deadline(TIMEOUT_MS);
    await deadline.bound(tx);
    const { blocks } = await measureProfiles(tx);
    const estimated = !exact && blocks > SMALL_BLOCKS;
    const { found, ...count } = estimated
      ? await estimatePeople(people, { blocks, sample, deadline }, tx)
      : await countPeople(people, { sample, deadline }, tx);
    const named = found.map((one) => ({ userId: userIdOf(one.subject) ?? '', value: one.value }));
    return { ...count, estimated, sample: named };
  });
}

/** Goes through all people; finds the first of them by their bytes. */
async function countPeople(
  { from, value, params }: PeopleSql,
  { sample, deadline }: { readonly sample: number; readonly deadline: Deadline },
  tx: Tx,
): Promise<Estimate & { readonly found: readonly FoundPerson[] }> {
  const [counted] = await tx.query<{ count: number }>(`select count(*)::float8 as count ${from}`, params);
  await deadline.bound(tx);
  const found = await tx.query<FoundPerson>(
    `select p.subject, ${value} as value ${from} order by p.subject limit $${params.length + 1}::integer`,
    [...params, sample],
  );
  const count = counted?.count ?? 0;
  return { count, low: count, high: count, found };
}
