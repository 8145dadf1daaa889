import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';

/** Deletes at most `limit` rows of a kind that are of these people, and answers how many. */
export type ForgetRows = (subjects: readonly Subject[], limit: number, tx: Tx) => Promise<number>;

/** Counts rows of a kind that are of these people, up to `limit`. */
export type CountRows = (subjects: readonly Subject[], limit: number, tx: Tx) => Promise<number>;

/** Rows of a kind that one transaction deletes at most, of people of whom much is held. */
const PART_ROWS = 5_000;
/** The last transaction keeps others waiting. */
export const LAST_ROWS = 1_000;

/** More is held of a person than the last transaction may delete: the rest is to be deleted in parts before it. */
export class TooMuchHeldError extends Error {
  constructor() {
    super('More is held of the person than one transaction may delete.');
  }
}

/** Repeats a deletion until nothing is left. @param erase deletes at most `limit` rows, and answers how many */
export async function inParts(erase: (limit: number) => Promise<number>): Promise<void> {
  for (;;) if ((await erase(PART_ROWS)) < PART_ROWS) return;
}

/** Deletes what is left of a kind. Answers how many there were. @throws TooMuchHeldError */
export async function forgetLast(forget: ForgetRows, subjects: readonly Subject[], tx: Tx): Promise<number> {
  const forgotten = await forget(subjects, LAST_ROWS, tx);
  if (forgotten === LAST_ROWS) throw new TooMuchHeldError();
  return forgotten;
}
