import { type ExportPart, LOWEST_ID } from '../../platform/database/statements/export-part';

/** The segments that a person is in. */
export const membershipExport: ExportPart = {
  kind: 'segment',
  sql: `
    select jsonb_build_object('segmentId', s.id, 'name', s.name, 'enteredAt', m.entered_at)::text as data,
      array[s.id::text] as key
    from live_segment_member as m join segment as s on s.id = m.segment_id
    where m.subject = any($1::text[]) and s.id > $2::uuid
    order by s.id`,
  first: [LOWEST_ID],
};
