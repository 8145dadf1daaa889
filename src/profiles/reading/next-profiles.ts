import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const readNextSql = prepared('next_profiles')`
    select subject from profile where subject > $1 and merged_into is null order by subject limit $2`;
const readExistingSql = prepared('existing_profiles')`
    select subject from profile where subject = any($1::text[]) and merged_into is null order by subject`;

/** The next people in the order of their subjects. */
export async function nextProfiles(after: string, limit: number, tx: Tx): Promise<Subject[]> {
  const rows = await tx.query<{ subject: Subject }>(readNextSql, [after, limit]);
  return rows.map(({ subject }) => subject);
}

/** Those who have a profile of their own. */
export async function existingProfiles(subjects: readonly Subject[], tx: Tx): Promise<Subject[]> {
  if (subjects.length === 0) return [];
  const rows = await tx.query<{ subject: Subject }>(readExistingSql, [subjects]);
  return rows.map(({ subject }) => subject);
}
