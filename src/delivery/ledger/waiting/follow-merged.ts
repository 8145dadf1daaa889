import type { OpenTransaction } from '../../../platform/database/database';
import { inOrderSql } from '../claiming/first-of-person';
import { isOneOf, isStillPending } from '../found-by-id';
import { prunedStatement } from '../pruned-statement';

const followMergedSql = prunedStatement(
  'follow_merged',
  (fromId) => `
  with waiting as (
    select f.id, moved.from_person, moved.into_person
    from unnest($1::uuid[]) as asked(destination_id)
    cross join unnest($2::bigint[], $3::bigint[]) as moved(from_person, into_person)
    cross join lateral (
      select f.id from delivery f
      where ${inOrderSql({ destinationId: 'asked.destination_id', person: 'moved.from_person', fromId })}
      order by f.place, f.id offset 0
    ) f
  )
  update delivery d set person = w.into_person
  from waiting w
  where d.id = w.id and ${isOneOf('waiting')} and d.id >= ${fromId} and d.person = w.from_person
    and ${isStillPending('d.state')} and d.passed_at is null`,
);

/** People who have become others. */
interface MovedPeople {
  readonly destinationIds: readonly string[];
  /** The same position is the same person. */
  readonly from: readonly string[];
  readonly into: readonly string[];
}

/**
 * What waits for people whose profiles have gone into others is in the order of those.
 * @param pendingFrom no delivery with a lower id is pending
 * @transition pending --> pending
 */
export function followMerged(
  { destinationIds, from, into }: MovedPeople,
  pendingFrom: string,
  tx: OpenTransaction,
): void {
  tx.send(followMergedSql(pendingFrom), [destinationIds, from, into]);
}
