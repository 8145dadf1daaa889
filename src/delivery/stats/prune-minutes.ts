import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const pruneMinutesSql = prepared('prune_delivery_minutes')`
  delete from delivery_minute where ctid = any(array(
    select ctid from delivery_minute where minute < now() - interval '2 days' order by minute limit $1))
  returning 1`;

/** Forgets up to `limit` counts of minutes that no statistics show any more. Returns how many. */
export async function pruneMinutes(limit: number, tx: Tx): Promise<number> {
  return (await tx.query(pruneMinutesSql, [limit])).length;
}
