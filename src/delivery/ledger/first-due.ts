/**
 * When what is due first for a destination is or was due: a delivery, or a closed batch. Null when nothing waits, or
 * what waits fills a batch or waits for its turn.
 * @param destinationId SQL
 */
export const firstDueAtSql = (destinationId: string, fromId: string): string => `least(
  (select due_at from delivery
    where destination_id = ${destinationId} and state = 'pending' and id >= ${fromId} and due_at < 'infinity'
    order by due_at limit 1),
  (select min(due_at) from delivery_batch where destination_id = ${destinationId} and state = 'closed'))`;
