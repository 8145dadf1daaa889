import { Logger } from '@nestjs/common';
import type { Tx } from '../../../platform/database/database';
import { withoutQuotes } from '../../../platform/logging/without-quotes';
import type { ActiveSegments } from '../../definitions/active-segments';
import { computeValues } from './compute-values';
import { discardValues } from './discard-values';
import { areUnsettledSql, settleKeptTraits } from './settle-kept-traits';

const RETRY_AFTER_S = 2;
const MAX_RETRY_AFTER_S = 60;

const logger = new Logger('KeptTraits');

/** Whether there may be anything to do. */
export const anyKeepingSql = `(exists (
    select from kept_trait where state in ('computing', 'discarding') and run_after <= statement_timestamp())
  or ${areUnsettledSql})`;

const retryLaterSql = `
  update kept_trait set failures = failures + 1,
    run_after = statement_timestamp() + least(${MAX_RETRY_AFTER_S}, ${RETRY_AFTER_S} * (failures + 1)) * interval '1 second'
  where state in ('computing', 'discarding') and run_after <= statement_timestamp()`;

/**
 * Does one step towards keeping the values that are needed, and no others. Returns whether there was anything to do; if
 * not, no lock is held.
 */
export async function keepTraits(segments: ActiveSegments, tx: Tx): Promise<boolean> {
  if (await settleKeptTraits(tx)) return true;
  await tx.query('savepoint kept_traits');
  try {
    return (await computeValues(segments, tx)) || (await discardValues(tx));
  } catch (error) {
    // Where the connection itself is gone, this rejects too and the caller learns of it.
    await tx.query('rollback to savepoint kept_traits');
    logger.warn(`Values of computed traits could not be kept: ${withoutQuotes(String(error))}`);
    await tx.query(retryLaterSql);
    return false;
  }
}
