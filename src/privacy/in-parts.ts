/** Rows that one statement, and outside of the final transaction one transaction, deletes at most. */
const PART_ROWS = 5_000;

/** Repeats a deletion until nothing is left. @param erase deletes at most `limit` rows, and answers how many */
export async function inParts(erase: (limit: number) => Promise<number>): Promise<number> {
  let erased = 0;
  for (;;) {
    const part = await erase(PART_ROWS);
    erased += part;
    if (part < PART_ROWS) return erased;
  }
}
