import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

/** Batches of a destination that are sent at a time, by all processes together. */
const AT_ONCE = 4;

/**
 * Of all destinations: the first ones of each before the others, so that those of a few do not hide what others have.
 */
const MOST = 100;

// Those closed together are due together. The id makes the order of all one order: who has a job and is not claimed yet
// keeps its place, or another would get a job beside it.
const findDueBatchesSql = prepared('find_due_batches')`
  with unsent as (
    select id, destination_id, cardinality(delivery_ids) as events, tries, due_at,
      due_at <= now() or coalesce(leased_by = any($2::int[]), false) as is_due, leased_by is not null as is_leased
    from delivery_batch where state = 'closed' and destination_id = any($1::uuid[])
  ), ranked as (
    select *, row_number() over (partition by destination_id, is_due order by due_at, id)
      + count(*) filter (where is_leased and not is_due) over (partition by destination_id) as rank
    from unsent
  )
  select id, destination_id as "destinationId", events as "eventCount", tries
  from ranked where is_due and rank <= ${AT_ONCE} order by rank, random() limit ${MOST}`;

export interface DueBatch {
  readonly id: string;
  readonly destinationId: string;
  readonly eventCount: number;
  readonly tries: number;
}

/**
 * Batches of these destinations that may be tried now, as many of each as may be under way beside those that are.
 * @param lost workers whose claims no longer count
 */
export function findDueBatches(
  destinationIds: readonly string[],
  lost: readonly number[],
  tx: Tx,
): Promise<DueBatch[]> {
  return tx.query<DueBatch>(findDueBatchesSql, [destinationIds, lost]);
}
