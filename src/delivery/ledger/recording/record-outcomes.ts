import type { Tx } from '../../../platform/database/database';
import { failureOf } from '../../../platform/database/failure';
import type { DeliveryOutcome } from './delivery-outcome';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { held, LOG, newTryId, rangeOfOutcomes, RESULTS, resultOf, TIMES, triedOf, TRIES } from './try-log';
import { isOneOf, isStillPending } from '../found-by-id';

// Only a pending delivery changes, and only by the try that follows the last one on record: whatever else comes
// (a second worker whose lease had run out) finds the delivery done. A success counts whenever it comes.
// The list and the range repeat what r says: by the list each row is looked up, and not all of the range is read; the
// range is what partitions are pruned by.
const update = (fromId: string): string => `
  update delivery d set
    state = r.state, attempts = r.attempt, error_class = r."errorClass", leased_until = null, updated_at = r.at,
    held_since = case when r.state = 'pending' and d.person is not null then coalesce(d.held_since, r.at) else d.held_since end,
    due_at = case when r.state = 'pending' then r.next_at else d.due_at end
  from r
  where d.id = r.id and ${isOneOf('r')} and ${isBetween('d.id', '$3', '$4')} and d.id >= ${fromId} and ${isStillPending('d.state')}
    and (d.attempts = r.attempt - 1 or r.state = 'delivered')`;
const recordOutcomesSql = prunedStatement(
  'record_outcomes',
  (fromId) =>
    `with r as materialized (select ${TIMES} from json_to_recordset($2) as r${RESULTS})) ${update(fromId)}`,
);
const recordAndLogOutcomesSql = prunedStatement(
  'record_and_log_outcomes',
  (fromId) =>
    `with r as materialized (${TRIES}), changed as (${update(fromId)} returning d.id), ${held(fromId)} ${LOG}`,
);

/**
 * Writes outcomes, of different deliveries, into the ledger and the tries into the log, with one statement for all.
 * @transition pending --> pending
 * @transition pending --> delivered
 * @transition pending --> dead
 * @transition pending --> cancelled
 * @param graceMs how long after its next try's time a delivery is left to its job before the sweeper takes it
 */
export async function recordAndLogOutcomes(
  outcomes: readonly DeliveryOutcome[],
  graceMs: number,
  tx: Tx,
): Promise<void> {
  const range = rangeOfOutcomes(outcomes);
  // Tries are told apart by their delivery: those that are written together share an id.
  await tx.query(recordAndLogOutcomesSql(beginOf(range[0])), [
    graceMs,
    JSON.stringify(outcomes.map(triedOf)),
    ...range,
    newTryId(range[1]),
  ]);
}

/** Writes outcomes, with the log of their tries or without it. */
export type RecordOutcomes = typeof recordOutcomes;

/**
 * Writes with the log of tries; when PostgreSQL refuses the log, then without it.
 * @param onRefused told what PostgreSQL said
 */
export async function withLogUnlessRefused<T>(
  write: (record: RecordOutcomes) => Promise<T>,
  onRefused: (error: unknown) => void,
): Promise<T> {
  try {
    return await write(recordAndLogOutcomes);
  } catch (error) {
    if (failureOf(error) !== 'refused') throw error;
    onRefused(error);
    return write(recordOutcomes);
  }
}

/** The ledger alone: for when the log cannot be written, which must not cause a second delivery. */
export async function recordOutcomes(
  outcomes: readonly DeliveryOutcome[],
  graceMs: number,
  tx: Tx,
): Promise<void> {
  const range = rangeOfOutcomes(outcomes);
  await tx.query(recordOutcomesSql(beginOf(range[0])), [
    graceMs,
    JSON.stringify(outcomes.map(resultOf)),
    ...range,
  ]);
}
