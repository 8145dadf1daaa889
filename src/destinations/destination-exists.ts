import type { Tx } from '../platform/database/database';

/** Whether there is a destination of this id, switched on or off. */
export async function destinationExists(destinationId: string, tx: Tx): Promise<boolean> {
  const rows = await tx.query<{ id: string }>('select id from destination where id = $1', [destinationId]);
  return rows.length > 0;
}
