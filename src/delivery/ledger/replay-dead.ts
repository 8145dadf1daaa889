import type { Tx } from '../../platform/database/database';

const reopen = {
  name: 'reopen_dead_delivery',
  text: `
  with letter as (
    select d.id, d.attempts, exists (select from destination where id = d.destination_id) as wanted
    from delivery d where d.id = $1 and d.state = 'dead' for update
  ), reopened as (
    update delivery d set state = 'pending', due_at = now(), attempt_limit = d.attempts - d.probes + $2, leased_until = null,
      updated_at = now()
    from letter where d.id = $1 and d.id = letter.id and letter.wanted
  )
  select wanted, attempts from letter`,
};

/** What a replay came to; `attempts` are the tries made before it. */
export type ReplayOfOne =
  | { readonly result: 'replayed'; readonly attempts: number }
  | { readonly result: 'not_dead' | 'destination_deleted' };

/**
 * Makes a dead delivery pending again, due at once, with `attempts` new tries and its old id. That of a destination
 * that was deleted stays what it is: it would only be cancelled.
 */
export async function replayDeadDelivery(deliveryId: string, attempts: number, tx: Tx): Promise<ReplayOfOne> {
  const [letter] = await tx.query<{ wanted: boolean; attempts: number }>(reopen, [deliveryId, attempts]);
  if (letter === undefined) return { result: 'not_dead' };
  if (!letter.wanted) return { result: 'destination_deleted' };
  return { result: 'replayed', attempts: letter.attempts };
}
