import { uuidv7 } from 'uuidv7';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import type { ClaimedBatch } from './claim-batch';
import { closeBatch } from './close-batch';
import { isStill, isStillPending } from '../found-by-id';

const deleteBatchSql = prepared('delete_split_batch')`
  delete from delivery_batch where id = $1 and ${isStill('closed')} returning delivery_ids`;
const findLeftSql = prepared('find_left_of_batch')`
  select d.id, coalesce(octet_length(coalesce(d.payload, e.payload)::text), 0) as bytes
  from delivery d
  left join lateral (
    select event.payload from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id
    limit 1
  ) e on d.payload is null
  where d.id = any($2::uuid[]) and d.id between $3 and $4 and ${isStillPending('d.state')} and d.batch_id = $1
  order by d.id`;

type LeftRow = { readonly id: string; readonly bytes: number };

/**
 * Has what is pending of a batch go on as two halves: the receiver may take one of them.
 * @param afterMs until they are due
 * @transition batch: closed --> [*]
 */
export async function splitBatch(
  { id, destinationId, sourceId, hour, firstId, lastId }: ClaimedBatch,
  afterMs: number,
  tx: Tx,
): Promise<void> {
  const [batch] = await tx.query<{ delivery_ids: string[] }>(deleteBatchSql, [id]);
  const left = await tx.query<LeftRow>(findLeftSql, [id, batch?.delivery_ids ?? [], firstId, lastId]);
  const middle = Math.ceil(left.length / 2);
  for (const half of [left.slice(0, middle), left.slice(middle)]) {
    if (half.length === 0) continue;
    const bytes = half.reduce((sum, delivery) => sum + delivery.bytes, 0);
    const deliveryIds = half.map((delivery) => delivery.id);
    const origin = { destinationId, sourceId, hour };
    await closeBatch({ id: uuidv7(), ...origin, deliveryIds, bytes, tries: 1, afterMs }, tx);
  }
}
