import type { Subject } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

/** Whose event a delivery is of, and what a transformation has seen of the person. */
interface ContextRow {
  readonly subject: Subject;
  /** JSON; null while no transformation has asked. */
  readonly context: string | null;
}

const readContextSql = prepared('read_delivery_context')`
  select subject, context::text as context from delivery where id = $1`;
const keepContextSql = prepared('keep_delivery_context')`
  update delivery set context = coalesce(context, $2::jsonb) where id = $1 returning context::text as context`;

/** Undefined when there is no such delivery (any more). */
export async function readContext(deliveryId: string, tx: Tx): Promise<ContextRow | undefined> {
  const [row] = await tx.query<ContextRow>(readContextSql, [deliveryId]);
  return row;
}

/**
 * Keeps what a transformation sees of the person, for all tries. Who is first wins: answers what is kept from then on;
 * undefined when the delivery is gone.
 * @transition any --> any
 */
export async function keepContext(deliveryId: string, context: string, tx: Tx): Promise<string | undefined> {
  const [row] = await tx.query<{ context: string }>(keepContextSql, [deliveryId, context]);
  return row?.context;
}
