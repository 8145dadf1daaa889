import type { ExportPart } from '../../platform/database/statements/export-part';

/** What the profiles of a person say. */
export const identityExport: ExportPart = {
  kind: 'identity',
  sql: `
    select jsonb_build_object('subject', subject, 'mergedInto', merged_into, 'traits', traits, 'traitClocks', trait_clocks,
        'groups', groups, 'eventCount', event_count, 'eventTotals', event_totals, 'firstSeenAt', first_seen_at,
        'lastSeenAt', last_seen_at, 'createdAt', created_at, 'updatedAt', updated_at)::text as data,
      array[subject] as key
    from profile as p where subject = any($1::text[]) and subject > $2
    order by subject`,
  first: [''],
};

/** How many events of each name a person had per day. */
export const dayCountExport: ExportPart = {
  kind: 'day_count',
  sql: `
    select to_jsonb(d)::text as data, array[subject, name, day::text] as key
    from profile_day as d where subject = any($1::text[]) and (subject, name, day) > ($2, $3, $4::date)
    order by subject, name, day`,
  first: ['', '', '-infinity'],
};
