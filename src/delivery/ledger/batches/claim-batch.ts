import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { isStill } from '../found-by-id';

/** How long others leave a batch to the worker that sends it; renewed while the work goes on. */
export const BATCH_LEASE_MS = 30_000;

/** A batch that this process works on until its lease ends. */
export interface ClaimedBatch {
  readonly id: string;
  readonly destinationId: string;
  readonly sourceId: string;
  readonly hour: Date;
  readonly eventCount: number;
  /** Of the events' JSON when it was closed. */
  readonly bytes: number;
  /** The first and the last of its deliveries, which it has in the order of their ids. */
  readonly firstId: string;
  readonly lastId: string;
}

const CLAIMED = `
  update delivery_batch set due_at = now() + $2 * interval '1 millisecond', leased_by = $3, tries = tries + 1,
    updated_at = now()`;
const RETURNED = `
  returning id, destination_id as "destinationId", source_id as "sourceId", hour,
    cardinality(delivery_ids) as "eventCount", bytes::float8 as bytes,
    delivery_ids[1] as "firstId", delivery_ids[cardinality(delivery_ids)] as "lastId"`;
const DUE = '(due_at <= now() or leased_by = any($4::int[]))';
const FREE = `state = 'closed' and ${DUE}`;
const claimBatchSql = prepared('claim_batch')`${CLAIMED}
  where id = $1 and ${isStill('closed')} and ${DUE}${RETURNED}`;
const claimNextBatchSql = prepared('claim_next_batch')`${CLAIMED}
  where id = (
    select id from delivery_batch where destination_id = $1 and ${FREE} order by due_at, id limit 1 for update skip locked
  )${RETURNED}`;
const claimBatchToProbeSql = prepared('claim_batch_to_probe')`${CLAIMED}
  where id = (
    select id from delivery_batch where destination_id = $1 and (${FREE} or state = 'closed' and leased_by is null)
    order by updated_at, id limit 1 for update skip locked
  )${RETURNED}`;

/** The worker that claims a batch, and those whose claims no longer count. */
export interface BatchClaimant {
  readonly id: number;
  readonly lost: readonly number[];
}

/**
 * Takes a batch; undefined when it is not due (any more).
 * @transition batch: closed --> closed
 */
export async function claimBatch(
  batchId: string,
  { id, lost }: BatchClaimant,
  tx: Tx,
): Promise<ClaimedBatch | undefined> {
  return (await tx.query<ClaimedBatch>(claimBatchSql, [batchId, BATCH_LEASE_MS, id, lost]))[0];
}

/** Takes the batch of a destination that has been due longest; undefined when none is. */
export async function claimNextBatch(
  destinationId: string,
  { id, lost }: BatchClaimant,
  tx: Tx,
): Promise<ClaimedBatch | undefined> {
  return (await tx.query<ClaimedBatch>(claimNextBatchSql, [destinationId, BATCH_LEASE_MS, id, lost]))[0];
}

/**
 * Takes the batch of a destination that was tried longest ago, due or not; undefined when there is none that nobody
 * holds.
 */
export async function claimBatchToProbe(
  destinationId: string,
  { id, lost }: BatchClaimant,
  tx: Tx,
): Promise<ClaimedBatch | undefined> {
  return (await tx.query<ClaimedBatch>(claimBatchToProbeSql, [destinationId, BATCH_LEASE_MS, id, lost]))[0];
}
