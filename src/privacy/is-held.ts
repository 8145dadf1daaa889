import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';

const isHeldSql = `
  select exists (select from profile where subject = any($1::text[]))
    or exists (select from event where subject = any($1::text[])) as held`;

/** Whether anything is known about the subjects, processed or not. */
export async function isHeld(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(isHeldSql, [subjects]);
  return row?.held === true;
}
