import { type ExportPart, LOWEST_ID } from '../../platform/database/statements/export-part';

/** Events of a person that could not be processed. */
export const deadEventExport: ExportPart = {
  kind: 'dead_event',
  sql: `
    select jsonb_build_object('eventId', event_id, 'subject', subject, 'timestamp', "timestamp", 'reason', reason,
        'failedAt', failed_at)::text as data,
      array[event_id::text] as key
    from dead_event as d where subject = any($1::text[]) and event_id > $2::uuid
    order by event_id`,
  first: [LOWEST_ID],
};

/** The events of a person. */
export const eventExport: ExportPart = {
  kind: 'event',
  sql: `
    select json_build_object('id', e.id, 'event', e.payload)::text as data,
      array[e.subject, e."timestamp"::text, e.id::text] as key
    from event as e
    where e.subject = any($1::text[]) and (e.subject, e."timestamp", e.id) > ($2, $3::timestamptz, $4::uuid)
    order by e.subject, e."timestamp", e.id`,
  first: ['', '-infinity', LOWEST_ID],
};
