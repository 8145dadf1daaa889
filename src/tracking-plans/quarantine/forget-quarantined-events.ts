import type { Subject } from '../../events/customer-event';
import { type ExportPart, LOWEST_ID, PAGE_ROWS } from '../../platform/database/statements/export-part';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const forgetSql = prepared('forget_quarantined_events')`
  delete from quarantined_event where id in (select id from quarantined_event where subjects && $1::text[] limit $2)
  returning 1`;
const hasSql = prepared('has_quarantined_events')`
  select from quarantined_event where subjects && $1::text[] limit 1`;

/** Deletes at most `limit` quarantined events that name one of these people. Returns how many. */
export async function forgetQuarantinedEvents(
  subjects: readonly Subject[],
  limit: number,
  tx: Tx,
): Promise<number> {
  return (await tx.query(forgetSql, [subjects, limit])).length;
}

/** Whether one of these people is named by a quarantined event. */
export async function hasQuarantinedEvents(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  return (await tx.query(hasSql, [subjects])).length > 0;
}

/** Events that name a person and are kept apart. */
export const quarantinedEventExport: ExportPart = {
  kind: 'quarantined_event',
  sql: `
    select json_build_object('id', id, 'codes', codes, 'event', payload)::text as data, array[id::text] as key
    from quarantined_event where subjects && $1::text[] and id > $2::uuid
    order by id limit ${PAGE_ROWS}`,
  first: [LOWEST_ID],
};
