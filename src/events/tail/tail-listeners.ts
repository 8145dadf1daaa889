import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** After this long without a sign of life a listener is gone. */
const LISTENS_SECONDS = 20;

/**
 * The condition that a process listens. Whoever writes what the tail tells of asks it in the same statement: nothing is
 * missed from the moment on in which a listener is entered, and nothing is written while there is none.
 */
export const somebodyListens = `
  exists (select from tail_listener where seen_at > now() - interval '${LISTENS_SECONDS} seconds')`;

const enterSql = prepared('enter_tail_listener')`
    insert into tail_listener (process_id) values ($1)
    on conflict (process_id) do update set seen_at = excluded.seen_at`;

/** Enters a process as a listener, and says that it is still there: to be repeated every few seconds. */
export async function enterListener(processId: string, tx: Tx): Promise<void> {
  await tx.query(enterSql, [processId]);
}

/** Takes a process off the list, and others that are gone. */
export async function withdrawListener(processId: string, tx: Tx): Promise<void> {
  await tx.query(
    `delete from tail_listener
     where process_id = $1 or seen_at < now() - interval '${LISTENS_SECONDS} seconds'`,
    [processId],
  );
}
