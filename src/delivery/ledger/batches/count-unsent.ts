import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

// What was tried may be refused and wait for hours, or be parts of what was.
const countUnsentSql = prepared('count_unsent_batches')`
  select count(*) filter (where tries = 0)::int as batches,
    coalesce(sum(cardinality(delivery_ids)) filter (where tries = 0), 0)::int as events,
    coalesce(sum(cardinality(delivery_ids)) filter (where tries > 0), 0)::int as "triedEvents"
  from delivery_batch where destination_id = $1 and state = 'closed'`;

/** What of a destination is closed and not sent, whoever holds it. */
interface Unsent {
  /** That were not tried. */
  readonly batches: number;
  /** In those. */
  readonly events: number;
  /** In batches that were tried. */
  readonly triedEvents: number;
}

export async function countUnsent(destinationId: string, tx: Tx): Promise<Unsent> {
  const [unsent] = await tx.query<Unsent>(countUnsentSql, [destinationId]);
  return unsent ?? { batches: 0, events: 0, triedEvents: 0 };
}
