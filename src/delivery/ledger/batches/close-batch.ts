import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { isStillPending } from '../found-by-id';

const insertBatchSql = prepared('insert_batch')`
  insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes, tries, due_at)
  values ($1, $2, $3, $4, $5::uuid[], $6, $7, now() + $8 * interval '1 millisecond')`;
// Where there are batches there is no order: a place in one is past.
const assignToBatchSql = prepared('assign_to_batch')`
  update delivery set batch_id = $1, due_at = 'infinity', person = null, place = null
  where id = any((select delivery_ids from delivery_batch where id = $1)::uuid[]) and id between $2 and $3
    and ${isStillPending()}`;

/** A batch to be. */
interface NewBatch {
  /** UUIDv7. */
  readonly id: string;
  readonly destinationId: string;
  readonly sourceId: string;
  readonly hour: Date;
  readonly deliveryIds: readonly string[];
  readonly bytes: number;
  /** Of its events, in another batch; none by default. */
  readonly tries?: number;
  /** Until it is due; by default it is. */
  readonly afterMs?: number;
}

/**
 * Writes a batch, which never changes from then on, and leaves its deliveries to it.
 * @transition batch: [*] --> closed
 * @transition pending --> pending
 */
export async function closeBatch(
  { id, destinationId, sourceId, hour, deliveryIds, bytes, tries = 0, afterMs = 0 }: NewBatch,
  tx: Tx,
): Promise<void> {
  await tx.query(insertBatchSql, [id, destinationId, sourceId, hour, deliveryIds, bytes, tries, afterMs]);
  await tx.query(assignToBatchSql, [id, ...rangeOfIds(deliveryIds)]);
}
