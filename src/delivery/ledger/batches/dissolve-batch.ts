import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { isStill, isStillPending } from '../found-by-id';

const dissolveBatchSql = prepared('dissolve_batch')`
  with dissolved as (
    delete from delivery_batch where id = $1 and ${isStill('closed')} and (due_at <= now() or leased_by is null)
    returning delivery_ids, delivery_ids[1] as first_id, delivery_ids[cardinality(delivery_ids)] as last_id
  )
  update delivery set batch_id = null, due_at = now()
  where id = any((select delivery_ids from dissolved)::uuid[])
    and id between (select first_id from dissolved) and (select last_id from dissolved)
    and ${isStillPending()} and due_at = 'infinity'`;

const findUnsentOfSql = prepared('find_unsent_batches_of')`
  select id from delivery_batch
  where state = 'closed' and (due_at <= now() or leased_by is null) and destination_id = any($1::uuid[])`;

/**
 * Dissolves what nobody is sending of these destinations, because their connectors send no batches any more. Returns
 * the batches.
 */
export async function dissolveBatchesOf(destinationIds: readonly string[], tx: Tx): Promise<string[]> {
  const unsent = await tx.query<{ id: string }>(findUnsentOfSql, [destinationIds]);
  for (const { id } of unsent) await dissolveBatch(id, tx);
  return unsent.map(({ id }) => id);
}

/**
 * Lets the deliveries of a batch that nobody is sending go, each on its own.
 * @transition batch: closed --> [*]
 * @transition pending --> pending
 */
export async function dissolveBatch(batchId: string, tx: Tx): Promise<void> {
  await tx.query(dissolveBatchSql, [batchId]);
}
