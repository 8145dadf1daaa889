import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { readIdentities } from '../../profiles/identity/read-identities';

/** The profile that each of these subjects belongs to now, when it is another one. */
export async function peopleOf(subjects: Iterable<Subject>, tx: Tx): Promise<ReadonlyMap<Subject, Subject>> {
  const rows = await readIdentities([...new Set(subjects)], tx);
  const merged = rows.flatMap(({ subject, merged_into: into }) =>
    into === null ? [] : [[subject, into] as const],
  );
  return new Map(merged);
}
