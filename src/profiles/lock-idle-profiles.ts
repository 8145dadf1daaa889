import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import { unplannedList } from '../platform/database/statements/unplanned';
import { factColumnsSql, type FactsRow } from './state/profile-row';

const lockIdleProfilesSql = prepared('lock_idle_profiles')`
    select ${factColumnsSql} from profile p
    where p.subject = any(${unplannedList('$1', 'text')}) and p.merged_into is null
    order by p.subject for no key update skip locked`;

const lockIdleSubjectsSql = prepared('lock_idle_subjects')`
    select p.subject from profile p
    where p.subject = any(${unplannedList('$1', 'text')}) and p.merged_into is null
    order by p.subject for no key update skip locked`;

/**
 * Locks profiles as events lock them, and leaves out those that others have locked. Until the transaction ends no other
 * decides on these people.
 */
export function lockIdleProfiles(subjects: readonly Subject[], tx: Tx): Promise<FactsRow[]> {
  return tx.query<FactsRow>(lockIdleProfilesSql, [subjects]);
}

/** The same of people of whom no more is asked. Those whose profiles it has locked. */
export async function lockIdleSubjects(subjects: readonly Subject[], tx: Tx): Promise<Subject[]> {
  const rows = await tx.query<{ subject: Subject }>(lockIdleSubjectsSql, [subjects]);
  return rows.map(({ subject }) => subject);
}
