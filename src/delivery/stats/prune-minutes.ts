import type { Tx } from '../../platform/database/database';

const pruneMinutesSql = `delete from delivery_minute where minute < now() - interval '2 days'`;

/** Forgets minutes that no statistics show any more. */
export async function pruneMinutes(tx: Tx): Promise<void> {
  await tx.query(pruneMinutesSql);
}
