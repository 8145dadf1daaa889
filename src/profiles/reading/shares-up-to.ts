import type { Tx } from '../../platform/database/database';
import { measureProfiles } from '../measure-profiles';

/** Pages of 8 KB that are looked at, of which each has some ten profiles. */
const MAX_PAGES = 500;

/** The same pages each time, so that what is further on never seems to be less far. */
const sharesSql = (percent: number): string => `
  select asked.subject, (count(*) filter (where p.subject <= asked.subject))::float8 / count(*) as share
  from unnest($1::text[]) as asked (subject)
  cross join (
    select subject from profile tablesample system (${percent}) repeatable (0) where merged_into is null
  ) as p
  group by asked.subject`;

/** Which part of all people comes up to each of these subjects in the order of `nextProfiles`, about: 0 to 1. */
export async function sharesUpTo(subjects: readonly string[], tx: Tx): Promise<ReadonlyMap<string, number>> {
  const begun = [...new Set(subjects)].filter((subject) => subject !== '');
  if (begun.length === 0) return new Map();
  const { blocks } = await measureProfiles(tx);
  const percent = Math.min(100, (100 * MAX_PAGES) / Math.max(1, blocks));
  const rows = await tx.query<{ subject: string; share: number }>(sharesSql(percent), [begun]);
  return new Map(rows.map(({ subject, share }) => [subject, share]));
}
