import type { OpenTransaction } from '../../../platform/database/database';
import { prunedStatement } from '../pruned-statement';

const followMergedSql = prunedStatement(
  'follow_merged',
  (fromId) => `
  update delivery d set person = moved.into_person
  from unnest($2::bigint[], $3::bigint[]) as moved(from_person, into_person)
  where d.destination_id = any($1::uuid[]) and d.person = moved.from_person and d.person = any($2::bigint[])
    and d.state = 'pending' and d.passed_at is null and d.id >= ${fromId}`,
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
