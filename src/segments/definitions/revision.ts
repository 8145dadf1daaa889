import { lockKeySql } from '../../platform/database/transactions/advisory-lock';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/**
 * How a change of the segments and the processing of events keep out of each other's way: every transaction that
 * evaluates segments holds this advisory lock shared until it commits, every transaction that changes a definition
 * takes it alone. So an evaluation works with the definitions as they are committed, and when a new definition
 * is committed, no transaction is under way that does not know it and evaluates still.
 */
const keySql = lockKeySql("'segment definitions'");

const shareLockSql = prepared('segment_lock')`select pg_advisory_xact_lock_shared(${keySql})`;
const readRevisionSql = prepared('segment_revision')`
  select revision, clock_timestamp()::text as now from segment_revision`;

/** A state of all definitions, and the time by PostgreSQL's clock. */
interface Revision {
  readonly revision: string;
  /** With microseconds, as PostgreSQL writes it. */
  readonly now: string;
}

/** Keeps definitions from changing until the transaction ends, and says which state they are in. */
export async function shareLockRevision(tx: Tx): Promise<Revision> {
  // Two statements: the second one sees what was committed while the first one waited.
  const [, [revision]] = await Promise.all([
    tx.query(shareLockSql),
    tx.query<{ revision: string; now: string }>(readRevisionSql),
  ]);
  return revision ?? { revision: '0', now: new Date().toISOString() };
}

/**
 * How long a change waits for evaluations. Later evaluations wait behind the change, so this
 * is also how long the processing of events may pause for one transaction that is stuck.
 */
const MAX_WAIT_MS = 2_000;

/** From here on the transaction fails with a `lock_timeout` where it waits too long for a lock. */
export async function limitLockWaits(tx: Tx): Promise<void> {
  await tx.query(`set local lock_timeout = ${MAX_WAIT_MS}`);
}

/**
 * Waits until no evaluation is under way, keeps it so until the transaction ends, and marks the definitions as changed;
 * not for long, see {@link limitLockWaits}. Nothing that an evaluation could wait for (a row of `profile` or
 * `segment_member`) may be locked before.
 */
export async function changeRevision(tx: Tx): Promise<void> {
  await limitLockWaits(tx);
  await tx.query(`select pg_advisory_xact_lock(${keySql})`);
  await tx.query('update segment_revision set revision = revision + 1');
}
