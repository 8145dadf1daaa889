import type { OutboundEvent } from '../../connectors/connector';
import { PermanentDeliveryError } from '../../connectors/delivery-error';
import type { MapEvent } from '../../destinations/mapping/compile-mapping';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { rangeOfIds } from '../../platform/database/statements/range-of-ids';
import { mappedEvent } from '../sending/mapped-event';
import { pagesOf } from './batch-pages';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';

/** Events read at a time, fewer when they are large: what bounds the memory of a batch, however large it is. */
const MAX_SLICE = 500;
const SLICE_BYTES = 1024 * 1024;
/** Slices whose ids are read together. */
const SLICES = 10;

// What is dead or cancelled stays out, what was delivered stays in: a batch that is sent again for some replayed
// deliveries overwrites what holds the others.
const readSlice = prepared('read_batch_slice')`
  select d.id, d.state = 'delivered' as "isDelivered", d.event_type as "eventType", e.source_id as "sourceId",
    coalesce(d.payload, e.payload)::text as body
  from unnest($1::uuid[]) with ordinality as wanted(id, position)
  join delivery d on d.id = wanted.id and d.id = any($1::uuid[]) and d.id between $2 and $3
  left join lateral (
    select event.payload, event.source_id::text as source_id from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id
    limit 1
  ) e on d.payload is null
  where d.state in ('pending', 'delivered') and d.batch_id = $4
  order by wanted.position`;

interface SliceRow {
  readonly id: string;
  readonly isDelivered: boolean;
  readonly eventType: string;
  readonly sourceId: string | null;
  readonly body: string | null;
}

/**
 * The events of a batch in their order, read in slices. Adds to `gone` the deliveries whose event is not stored any
 * more; they are left out.
 * @throws PermanentDeliveryError when that is one that was delivered: what holds it would be written over without it
 */
export async function* readBatchEvents(
  batch: Pick<ClaimedBatch, 'id' | 'eventCount' | 'bytes'>,
  tx: Tx,
  { mapEvent, gone }: { readonly mapEvent: MapEvent | undefined; readonly gone: Set<string> },
): AsyncIterable<OutboundEvent> {
  const fitting = Math.floor((SLICE_BYTES * batch.eventCount) / Math.max(batch.bytes, 1));
  const size = Math.min(Math.max(fitting, 1), MAX_SLICE);
  for await (const page of pagesOf(batch, size * SLICES, tx)) {
    for (let start = 0; start < page.ids.length; start += size) {
      const ids = page.ids.slice(start, start + size);
      const rows = await tx.query<SliceRow>(readSlice, [ids, ...rangeOfIds(ids), batch.id]);
      for (const { id: deliveryId, isDelivered, eventType, sourceId, body } of rows) {
        if (body !== null)
          yield mappedEvent({ deliveryId, eventType, sourceId: sourceId ?? undefined, body }, mapEvent);
        else if (isDelivered) throw new PermanentDeliveryError('event_expired', { isOfEvent: true });
        else gone.add(deliveryId);
      }
    }
  }
}
