import { type ExportPart, LOWEST_ID } from '../platform/database/statements/export-part';
import { ofPeople } from './ledger/of-people';

/** What was sent of a person, what a transformation has seen of them, and what was answered. */
export const deliveryExport: ExportPart = {
  kind: 'delivery',
  sql: `
    select jsonb_build_object('id', d.id, 'destinationId', d.destination_id, 'eventId', d.event_id,
        'state', d.state, 'attempts', d.attempts, 'updatedAt', d.updated_at, 'payload', d.payload,
        'context', d.context,
        'answers', (
          select jsonb_agg(a.answer order by a.id) from delivery_attempt as a
          where a.delivery_id = d.id and a.id > d.id and a.answer is not null
        ))::text as data,
      array[d.id::text] as key
    from delivery as d where ${ofPeople('$1')} and id > $2::uuid
    order by id`,
  first: [LOWEST_ID],
};
