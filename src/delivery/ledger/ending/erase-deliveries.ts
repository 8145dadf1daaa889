import type { Subject } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { unplannedId, unplannedLimit, unplannedList } from '../../../platform/database/statements/unplanned';
import { ofPeople } from '../of-people';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';

// Partition after partition, so that one statement has to do with few of them. Locked, so that somebody else who erases
// the person finds other deliveries than these, and each is counted once.
const findOfPeopleSql = prepared('find_deliveries_of_people')`
  select id from delivery where ${ofPeople('$1')} limit ${unplannedLimit('$2')} for update`;
const eraseDeliveriesSql = prepared('erase_deliveries')`
  delete from delivery where id = any($1::uuid[]) and id between $2 and $3 returning id`;
const countOfPeopleSql = prepared('count_deliveries_of_people')`
  select count(*)::integer as count from (select from delivery where ${ofPeople('$1')} limit ${unplannedLimit('$2')}) as found`;
// The ids of tries are younger than that of their delivery: older partitions are left out.
const eraseTriesSql = prepared('erase_delivery_attempts')`
  delete from delivery_attempt where delivery_id = any(${unplannedList('$1', 'uuid')}) and id > ${unplannedId('$2')}`;

/**
 * Deletes at most `limit` deliveries of a person, then their tries: a worker that was about to record one has done so
 * by then. Answers how many; fewer than `limit` when none are left.
 * @transition any --> [*]
 */
export async function eraseDeliveries(subjects: readonly Subject[], limit: number, tx: Tx): Promise<number> {
  const found = await tx.query<{ id: string }>(findOfPeopleSql, [subjects, limit]);
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  const [lowest, highest] = rangeOfIds(ids);
  await tx.query(eraseDeliveriesSql, [ids, lowest, highest]);
  await tx.query(eraseTriesSql, [ids, lowest]);
  return ids.length;
}

/** How many deliveries of a person there are, counted up to `limit`. */
export async function countDeliveriesOfPeople(
  subjects: readonly Subject[],
  limit: number,
  tx: Tx,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countOfPeopleSql, [subjects, limit]);
  return row?.count ?? 0;
}
