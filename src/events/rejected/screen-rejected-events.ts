import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';
import type { Subject } from '../customer-event';

/** A rejected event that nobody is shown yet: whom it names was not looked up. */
export interface UnscreenedEvent extends Record<string, unknown> {
  /** Its time is that of the rejection. */
  readonly id: string;
  readonly subjects: Subject[];
}

/** For a look every second, by its own index. */
export const anyUnscreenedSql = 'select exists (select from rejected_event where not screened)';

const takeUnscreenedSql = prepared('take_unscreened_events')`
    select id, subjects from rejected_event where not screened order by id limit $1 for update skip locked`;

const passScreenedSql = prepared('pass_screened_events')`
  update rejected_event set screened = true where id = any($1::uuid[])`;

const dropScreenedSql = prepared('drop_screened_events')`
  delete from rejected_event where id = any($1::uuid[])`;

/** Locks some rejected events that were not screened until the transaction ends; not those that others have. */
export function takeUnscreened(limit: number, tx: Tx): Promise<UnscreenedEvent[]> {
  return tx.query<UnscreenedEvent>(takeUnscreenedSql, [limit]);
}

/** From now on they are shown. */
export async function passScreened(ids: readonly string[], tx: Tx): Promise<void> {
  if (ids.length > 0) await tx.query(passScreenedSql, [ids]);
}

/** Deletes those that name somebody who must not be named. */
export async function dropScreened(ids: readonly string[], tx: Tx): Promise<void> {
  if (ids.length > 0) await tx.query(dropScreenedSql, [ids]);
}
