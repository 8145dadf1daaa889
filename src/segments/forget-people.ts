import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { subtractGoneSql } from './member-counts';

const forgetSql = `
  with gone as (
    delete from segment_member where subject = any($1::text[]) returning subject, generation, member
  ), counted as (${subtractGoneSql})
  select count(*)::integer as forgotten from gone`;

/**
 * Takes people who are erased out of all segments. The caller has their profiles locked, and keeps the upkeep of
 * segments out (`keepUpkeepOut`).
 *
 * @returns how many memberships there were, or notes that somebody is not in a segment
 */
export async function forgetPeople(subjects: readonly Subject[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ forgotten: number }>(forgetSql, [subjects]);
  return row?.forgotten ?? 0;
}
