import { lockKeySql } from '../platform/database/transactions/advisory-lock';
import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/**
 * How erasing a person and the upkeep (of segments, and what takes old events up again) keep out of each other's way. A
 * step of the upkeep works with people and events as it saw them at its start, and locks none of them: it could write
 * somebody down, or tell of him, whose erasure has meanwhile deleted what there was. So every transaction of the upkeep
 * holds this advisory lock shared until it commits, and an erasure takes it alone. (The processing of events locks the
 * profiles instead.)
 */
const keySql = lockKeySql("'erasure gate'");

const shareLockSql = prepared('erasure_gate')`select pg_advisory_xact_lock_shared(${keySql})`;

/** Keeps erasures out until the transaction ends. What was erased before, the next statement does not see. */
export async function keepErasuresOut(tx: Tx): Promise<void> {
  await tx.query(shareLockSql);
}

/**
 * Waits for the upkeep of segments and keeps it out until the transaction ends. To be taken first: the upkeep may be
 * waiting for a lock of anybody.
 */
export async function keepUpkeepOut(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${keySql})`);
}
