import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

// In the order in which profiles are always locked.
const shareLockPeopleSql = prepared('share_lock_people')`
    select subject, merged_into as "into" from profile where subject = any($1::text[]) order by subject for share`;

/**
 * The profile that each of these subjects belongs to, when it is another one. Until the transaction ends none of them
 * becomes somebody else.
 */
export async function shareLockPeople(
  subjects: Iterable<Subject>,
  tx: Tx,
): Promise<ReadonlyMap<Subject, Subject>> {
  const rows = await tx.query<{ subject: Subject; into: Subject | null }>(shareLockPeopleSql, [
    [...new Set(subjects)],
  ]);
  return new Map(rows.flatMap(({ subject, into }) => (into === null ? [] : [[subject, into] as const])));
}
