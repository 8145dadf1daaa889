import type { Database, Tx } from '../../platform/database/database';
import type { ClaimedDelivery } from '../ledger/claimed-delivery';
import type { Outcome } from '../ledger/outcome';
import { recordAndLogOutcomes, recordOutcomes } from '../ledger/record-outcomes';
import { isRefusal } from '../ledger/refusal';
import { type ClaimedBatch, rangeOf } from './batch-store';

/** Outcomes written with one statement. */
const GROUP = 1_000;

const findPending = {
  name: 'find_pending_of_batch',
  text: `
  select id, attempts, attempt_limit as "attemptLimit", event_type as "eventType", traceparent
  from delivery
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending' order by id`,
};
const keepInBatch = {
  name: 'keep_in_batch',
  text: `
  update delivery set due_at = 'infinity'
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending' returning 1`,
};
const end = {
  name: 'end_batch',
  text: `
  update delivery_batch set state = $2, due_at = now() + $3 * interval '1 millisecond', updated_at = now()
  where id = $1`,
};

/** The deliveries of a batch that are to be sent with it. */
export async function pendingOf(batch: ClaimedBatch, tx: Tx): Promise<ClaimedDelivery[]> {
  const rows = await tx.query<{
    id: string;
    attempts: number;
    attemptLimit: number | null;
    eventType: string;
    traceparent: string | null;
  }>(findPending, [batch.deliveryIds, ...rangeOf(batch.deliveryIds)]);
  return rows.map(({ id, attempts, attemptLimit, eventType, traceparent }) => ({
    id,
    destinationId: batch.destinationId,
    attempts,
    attemptLimit: attemptLimit ?? undefined,
    eventType,
    body: undefined,
    traceparent: traceparent ?? undefined,
    leaseEndsAt: Number.POSITIVE_INFINITY,
  }));
}

/**
 * Writes what came of a try: deliveries, log and batch change together or not at all. When PostgreSQL refuses the log,
 * then without it.
 */
export async function recordBatch(
  batch: ClaimedBatch,
  outcomes: readonly Outcome[],
  database: Database,
): Promise<void> {
  try {
    await database.transaction((tx) => write(batch, outcomes, recordAndLogOutcomes, tx));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await database.transaction((tx) => write(batch, outcomes, recordOutcomes, tx));
  }
}

async function write(
  batch: ClaimedBatch,
  outcomes: readonly Outcome[],
  record: typeof recordOutcomes,
  tx: Tx,
): Promise<void> {
  for (let start = 0; start < outcomes.length; start += GROUP) {
    await record(outcomes.slice(start, start + GROUP), 0, tx);
  }
  const pending = await tx.query(keepInBatch, [batch.deliveryIds, ...rangeOf(batch.deliveryIds)]);
  const waits = outcomes.filter(({ state }) => state === 'pending').map(({ waitMs }) => waitMs);
  const isSent = outcomes.some(({ state }) => state === 'delivered') || outcomes.length === 0;
  const state = pending.length > 0 ? 'closed' : isSent ? 'sent' : 'dead';
  // All wait for the same batch: the earliest wish counts.
  await tx.query(end, [batch.id, state, waits.length > 0 ? Math.min(...waits) : 0]);
}
