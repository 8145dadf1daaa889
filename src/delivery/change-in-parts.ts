import type { Database, Tx } from '../platform/database/database';

/** One transaction changes so many deliveries, in some tenths of a second. */
export const PART_DELIVERIES = 2_000;

/** What one part came to. */
interface Part<Place> {
  readonly count: number;
  /** Where the next one begins; undefined when this was the last. */
  readonly next: Place | undefined;
}

/** Writes down how many there were up to the end of a part, in its transaction. */
export type Tally = (total: number, tx: Tx) => Promise<void>;

/**
 * Changes many deliveries part by part, each a transaction, so that no lane waits for all of it. When it rejects, or the
 * process ends, the parts so far are changed and written down, and nothing of the others.
 * @param changePart of the first part `undefined` is the place
 * @returns how many there were
 */
export async function changeInParts<Place>(
  database: Pick<Database, 'transaction'>,
  changePart: (place: Place | undefined, tx: Tx) => Promise<Part<Place>>,
  tally: Tally,
): Promise<number> {
  let total = 0;
  let place: Place | undefined;
  do {
    const { count, next } = await database.transaction(async (tx) => {
      const part = await changePart(place, tx);
      if (part.count > 0) await tally(total + part.count, tx);
      return part;
    });
    total += count;
    place = next;
  } while (place !== undefined);
  return total;
}
