import type { Tx } from '../../../platform/database/database';
import { limitLockWaits } from '../../definitions/revision';

const discardSql = `
  update kept_trait set state = 'discarding', run_after = now() where trait_id = $1 and state <> 'discarding'`;

/**
 * Gives up what is kept of a trait that is about to be of something else. No event of the new definition keeps these
 * values up to date, so they are not those of the old one either, should that come back. To be called before
 * `changeRevision`: steps of the computation lock the row first, too.
 */
export async function discardKept(traitId: string, tx: Tx): Promise<void> {
  await limitLockWaits(tx);
  await tx.query(discardSql, [traitId]);
}
