import type { ActiveDestination } from '../../destinations/active-destinations';
import { lowestId } from '../../events/partitions/partition-plan';
import { type Database } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { prunedStatement } from '../ledger/pruned-statement';

/** By then all processes know of the order, and what they routed before is written. */
const SETTLED_MS = 5_000;
/** What is said to be switched on later than this was so while PostgreSQL's clock was ahead, perhaps by days. */
const MAX_AHEAD_MS = 60_000;

const anyOlderSql = prunedStatement(
  'find_delivery_before_order',
  (fromId) => `
  select where exists (
    select from delivery
    where destination_id = $1 and state = 'pending' and id >= ${fromId} and id < $2 and person is null and due_at < 'infinity'
  ) or exists (select from delivery_batch where destination_id = $1 and state = 'closed')`,
);

/** Whether what was pending when a destination was given its order has ended: nothing may get past it. */
export class SwitchedOn {
  /** The destinations where it has, by the time they were given their order. */
  private readonly ended = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /** @param pendingFrom no delivery with a lower id is pending */
  async hasBegun({ id, order, orderedAtMs }: ActiveDestination, pendingFrom: string): Promise<boolean> {
    const settledMs = orderedAtMs + SETTLED_MS;
    if (order === null || this.ended.get(id) === orderedAtMs) return true;
    const nowMs = databaseNowMs();
    if (nowMs < settledMs && orderedAtMs <= nowMs + MAX_AHEAD_MS) return false;
    const isTooLong = nowMs > orderedAtMs + order.maxWaitSeconds * 1_000;
    if (!isTooLong && (await this.isAnyPending(id, settledMs, pendingFrom))) return false;
    this.ended.set(id, orderedAtMs);
    return true;
  }

  private async isAnyPending(destinationId: string, beforeMs: number, pendingFrom: string): Promise<boolean> {
    const rows = await this.database.query(anyOlderSql(pendingFrom), [destinationId, lowestId(beforeMs)]);
    return rows.length > 0;
  }
}
