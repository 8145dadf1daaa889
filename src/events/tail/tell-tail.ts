import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { TailedRejection } from './read-tail';
import { somebodyListens } from './tail-listeners';

const tellTailSql = prepared('tell_tail')`
  with told as (
    select id, subjects, told from json_to_recordset($1::json) as e(id uuid, subjects text[], told json)
    where ${somebodyListens}
  )
  insert into tail_entry (id, subjects, rejected) select id, subjects, told from told`;

/** Tells whoever listens of events that were not stored. */
export async function tellTail(events: readonly TailedRejection[], tx: Tx): Promise<void> {
  const entries = events.map((told) => ({ id: told.id, subjects: told.subjects, told }));
  await tx.query(tellTailSql, [JSON.stringify(entries)]);
}
