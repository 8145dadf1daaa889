import { countRows } from '../platform/database/count-rows';
import type { Tx } from '../platform/database/database';
import type { Subject } from './customer-event';

/** An event that is in the inbox now was accepted while this went on: it is what is new, and stays. */
const deleteEventsSql = `
  delete from event where subject = any($1::text[]) and id <> all(array(
    select unnest(event_ids) from inbox where subjects && $1::text[]
  ))`;

/** Deletes the events of people who are erased. @returns how many there were */
export function forgetEvents(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows(deleteEventsSql, [subjects], tx);
}

/** Deletes the notes that events of these people could not be processed. */
export async function forgetDeadEvents(subjects: readonly Subject[], tx: Tx): Promise<void> {
  await tx.query('delete from dead_event where subject = any($1::text[])', [subjects]);
}

/** Whether an event of one of these subjects is stored, processed or not. */
export async function hasEvents(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(
    'select exists (select from event where subject = any($1::text[])) as held',
    [subjects],
  );
  return row?.held === true;
}
