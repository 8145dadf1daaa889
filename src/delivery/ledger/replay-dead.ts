import type { Tx } from '../../platform/database/database';

const reopen = {
  name: 'reopen_dead_delivery',
  text: `
  update delivery set state = 'pending', due_at = now(), attempt_limit = attempts + $2, leased_until = null,
    updated_at = now()
  where id = $1 and state = 'dead'
  returning id, destination_id`,
};

/**
 * Makes a dead delivery pending again, due at once, with `attempts` new tries and its old id.
 * Answers undefined when it was not dead.
 */
export async function replayDeadDelivery(
  deliveryId: string,
  attempts: number,
  tx: Tx,
): Promise<{ readonly destinationId: string } | undefined> {
  const [row] = await tx.query<{ destination_id: string }>(reopen, [deliveryId, attempts]);
  return row && { destinationId: row.destination_id };
}
