/** Rows read at once: what is held about one person may be more than fits into memory. */
export const PAGE_ROWS = 500;

/** One kind of lines of an export. */
export interface ExportPart {
  readonly kind: string;
  /**
   * The next page: rows of `data`, the text of a JSON object with at least one member, and of `key`, their place in
   * the order. $1 the person's subjects; $2 and so on the key after which the page begins.
   */
  readonly sql: string;
  /** The key before all rows. */
  readonly first: readonly string[];
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export const EXPORT_PARTS: readonly ExportPart[] = [
  {
    kind: 'identity',
    sql: `
      select jsonb_build_object('subject', subject, 'mergedInto', merged_into, 'traits', traits, 'traitClocks', trait_clocks,
          'groups', groups, 'eventCount', event_count, 'eventTotals', event_totals, 'firstSeenAt', first_seen_at,
          'lastSeenAt', last_seen_at, 'createdAt', created_at, 'updatedAt', updated_at)::text as data,
        array[subject] as key
      from profile as p where subject = any($1::text[]) and subject > $2
      order by subject limit ${PAGE_ROWS}`,
    first: [''],
  },
  {
    kind: 'day_count',
    sql: `
      select to_jsonb(d)::text as data, array[subject, name, day::text] as key
      from profile_day as d where subject = any($1::text[]) and (subject, name, day) > ($2, $3, $4::date)
      order by subject, name, day limit ${PAGE_ROWS}`,
    first: ['', '', '-infinity'],
  },
  {
    kind: 'segment',
    sql: `
      select jsonb_build_object('segmentId', s.id, 'name', s.name, 'enteredAt', m.entered_at)::text as data,
        array[s.id::text] as key
      from live_segment_member as m join segment as s on s.id = m.segment_id
      where m.subject = any($1::text[]) and s.id > $2::uuid
      order by s.id limit ${PAGE_ROWS}`,
    first: [LOWEST_ID],
  },
  {
    kind: 'dead_event',
    sql: `
      select jsonb_build_object('eventId', event_id, 'subject', subject, 'timestamp', "timestamp", 'reason', reason,
          'failedAt', failed_at)::text as data,
        array[event_id::text] as key
      from dead_event as d where subject = any($1::text[]) and event_id > $2::uuid
      order by event_id limit ${PAGE_ROWS}`,
    first: [LOWEST_ID],
  },
  {
    kind: 'event',
    sql: `
      select json_build_object('id', e.id, 'event', e.payload)::text as data,
        array[e.subject, e."timestamp"::text, e.id::text] as key
      from event as e
      where e.subject = any($1::text[]) and (e.subject, e."timestamp", e.id) > ($2, $3::timestamptz, $4::uuid)
      order by e.subject, e."timestamp", e.id limit ${PAGE_ROWS}`,
    first: ['', '-infinity', LOWEST_ID],
  },
  {
    kind: 'delivery',
    sql: `
      select jsonb_build_object('id', d.id, 'destinationId', d.destination_id, 'eventId', d.event_id,
          'state', d.state, 'attempts', d.attempts, 'updatedAt', d.updated_at, 'payload', d.payload,
          'answers', (
            select jsonb_agg(a.answer order by a.id) from delivery_attempt as a
            where a.delivery_id = d.id and a.answer is not null
          ))::text as data,
        array[d.id::text] as key
      from delivery as d where subject = any($1::text[]) and id > $2::uuid
      order by id limit ${PAGE_ROWS}`,
    first: [LOWEST_ID],
  },
];
