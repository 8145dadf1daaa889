import type { Database } from '../../platform/database/database';
import { changeInParts, PART_DELIVERIES, type Tally } from '../change-in-parts';
import { discardPart } from '../ledger/dead-letters/discard-dead-letters';
import type { DeadRange } from '../ledger/dead-letters/read-dead-letters';

/**
 * Discards the dead letters of a destination, or those with one reason, part by part. Each is discarded, and counted,
 * once, however often it is asked for at a time. What is given up by a transaction that begins after the call stays, as
 * nobody has seen it who asked; so does what another transaction has at that moment, such as a replay.
 * @param part letters that one transaction discards
 * @returns how many there were
 */
export async function discardAll(
  asked: Pick<DeadRange, 'destinationId' | 'reason'>,
  tally: Tally,
  database: Pick<Database, 'query' | 'transaction'>,
  part = PART_DELIVERIES,
): Promise<number> {
  const [begun] = await database.query<{ at: string }>('select now()::text as at');
  const diedUntil = begun?.at ?? '-infinity';
  return changeInParts<string>(
    database,
    async (fromId, tx) => {
      const { count, lastId } = await discardPart({ ...asked, fromId, diedUntil, limit: part }, tx);
      return { count, next: count < part ? undefined : lastId };
    },
    tally,
  );
}
