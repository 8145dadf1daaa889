import type { Subject } from '../../events/customer-event';
import { LONG_STATEMENT_MS, type Tx } from '../../platform/database/database';

const eraseDeliveriesSql = {
  name: 'erase_deliveries',
  text: 'delete from delivery where subject = any($1::text[]) and id >= $2::uuid returning id',
  limitMs: LONG_STATEMENT_MS,
};
const eraseTriesSql = {
  name: 'erase_delivery_attempts',
  text: 'delete from delivery_attempt where delivery_id = any($1::uuid[])',
};

/**
 * Deletes the deliveries of a person whose ids are `fromId` or higher, then their tries: a worker that was about to
 * record one has done so by then. They are found by a walk through the partitions since `fromId`; an index would cost
 * every delivery something for the sake of the rare deletion.
 * @transition any --> [*]
 */
export async function eraseDeliveries(subjects: readonly Subject[], fromId: string, tx: Tx): Promise<number> {
  const deleted = await tx.query<{ id: string }>(eraseDeliveriesSql, [subjects, fromId]);
  const ids = deleted.map(({ id }) => id);
  if (ids.length > 0) await tx.query(eraseTriesSql, [ids]);
  return deleted.length;
}
