import type { Screening, UnscreenedEvent } from '../../events/rejected/screen-rejected-events';
import { prepared } from '../../platform/database/prepared';

const takeSql = prepared('take_unscreened_quarantined')`
  select id, subjects from quarantined_event where not screened order by id limit $1 for update skip locked`;
const passSql = prepared('pass_screened_quarantined')`
  update quarantined_event set screened = true where id = any($1::uuid[])`;
const dropSql = prepared('drop_screened_quarantined')`
  delete from quarantined_event where id = any($1::uuid[])`;

/** Quarantined events are shown, and released, once it is known that they name nobody who must not be named. */
export const quarantinedScreening: Screening = {
  anyUnscreenedSql: 'select exists (select from quarantined_event where not screened)',
  takeUnscreened: (limit, tx) => tx.query<UnscreenedEvent>(takeSql, [limit]),
  passScreened: async (ids, tx) => void (await tx.query(passSql, [ids])),
  dropScreened: async (ids, tx) => void (await tx.query(dropSql, [ids])),
};
