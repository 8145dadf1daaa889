import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { factColumnsSql, type FactsRow } from '../../profiles/state/profile-row';

const lockProfilesSql = {
  name: 'segment-lock-profiles',
  text: `
    select ${factColumnsSql} from profile p
    where p.subject = any($1::text[]) and p.merged_into is null
    order by p.subject for no key update skip locked`,
};

/**
 * Locks profiles as events lock them, and leaves out those that others have locked. Until the transaction ends no other
 * decides on these people.
 */
export async function lockProfiles(subjects: readonly Subject[], tx: Tx): Promise<FactsRow[]> {
  return tx.query<FactsRow>(lockProfilesSql, [subjects]);
}
