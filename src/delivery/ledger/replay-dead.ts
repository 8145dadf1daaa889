import type { Tx } from '../../platform/database/database';

const reopen = {
  name: 'reopen_dead_delivery',
  text: `
  with letter as (
    select d.id, exists (select from destination where id = d.destination_id) as wanted
    from delivery d where d.id = $1 and d.state = 'dead' for update
  ), reopened as (
    update delivery d set state = 'pending', due_at = now(), attempt_limit = attempts + $2, leased_until = null,
      updated_at = now()
    from letter where d.id = $1 and d.id = letter.id and letter.wanted
  )
  select wanted from letter`,
};

export type ReplayOfOne = 'replayed' | 'not_dead' | 'destination_deleted';

/**
 * Makes a dead delivery pending again, due at once, with `attempts` new tries and its old id. That of a destination
 * that was deleted stays what it is: it would only be cancelled.
 */
export async function replayDeadDelivery(deliveryId: string, attempts: number, tx: Tx): Promise<ReplayOfOne> {
  const [letter] = await tx.query<{ wanted: boolean }>(reopen, [deliveryId, attempts]);
  if (letter === undefined) return 'not_dead';
  return letter.wanted ? 'replayed' : 'destination_deleted';
}
