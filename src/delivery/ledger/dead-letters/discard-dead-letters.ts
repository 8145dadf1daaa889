import { destinationExists } from '../../../destinations/destination-conditions';
import { LONG_STATEMENT_MS, type Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import type { DeadKey } from './read-dead-letters';

const discardDeadLetterSql = prepared('discard_dead_letter')`
  update delivery set state = 'cancelled', updated_at = now()
  where id = $1 and state = 'dead'
  returning id as "deliveryId", attempts, destination_id as "destinationId"`;
const discardDeadLettersSql = prepared('discard_dead_letters', { limitMs: LONG_STATEMENT_MS })`
  with discarded as (
    update delivery set state = 'cancelled', updated_at = now()
    where state = 'dead' and destination_id = $1 and ($2::text is null or error_class = $2) returning 1
  )
  select count(*)::int as count, ${destinationExists('$1')} as known from discarded`;

/** A dead letter that was discarded. */
interface DiscardedLetter extends DeadKey {
  readonly destinationId: string;
}

/** Dead letters that were discarded, and whether there is a destination of that id. */
interface Discarded {
  readonly count: number;
  readonly known: boolean;
}

/**
 * Discards a dead letter; undefined when there is none.
 * @transition dead --> cancelled
 */
export async function discardDeadLetter(deliveryId: string, tx: Tx): Promise<DiscardedLetter | undefined> {
  return (await tx.query<DiscardedLetter>(discardDeadLetterSql, [deliveryId]))[0];
}

/** Discards all dead letters of a destination, or those with one error class. */
export async function discardDeadLetters(
  destinationId: string,
  errorClass: string | undefined,
  tx: Tx,
): Promise<Discarded> {
  const [discarded] = await tx.query<Discarded>(discardDeadLettersSql, [destinationId, errorClass ?? null]);
  return discarded ?? { count: 0, known: false };
}
