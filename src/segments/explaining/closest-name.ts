/** Edits that still count as a slip of the pen; fewer in a short name, which few edits make into any other. */
const MAX_EDITS = 2;
const SHORT_NAME = 5;
const BEYOND = MAX_EDITS + 1;
/** A cell for each difference of lengths on the way. */
const BAND = 2 * MAX_EDITS + 1;

/** The name that was probably meant by another one: without its first step, or with few characters changed. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const withoutFirstStep = given.slice(given.indexOf('.') + 1);
  if (withoutFirstStep !== given && known.includes(withoutFirstStep)) return withoutFirstStep;
  const allowed = given.length < SHORT_NAME ? 1 : MAX_EDITS;
  const [closest] = known
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((left, right) => left.edits - right.edits);
  return closest?.name;
}

/**
 * The Levenshtein distance, or BEYOND where it is more than MAX_EDITS. Only cells of its table that lie so near the
 * diagonal can be within that: the others, which are a million for two long names, are not looked at.
 */
export function editsBetween(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MAX_EDITS) return BEYOND;
  // Of a row of the table the cells around the diagonal, which is in the middle.
  let band = Array.from({ length: BAND }, (_, index) => (index < MAX_EDITS ? BEYOND : index - MAX_EDITS));
  for (let at = 1; at <= left.length; at += 1) {
    const next: number[] = [];
    for (let index = 0; index < BAND; index += 1) {
      const isSame = left[at - 1] === right[at + index - MAX_EDITS - 1];
      const replaced = (band[index] ?? BEYOND) + (isSame ? 0 : 1);
      next.push(Math.min(replaced, (band[index + 1] ?? BEYOND) + 1, (next[index - 1] ?? BEYOND) + 1));
    }
    if (Math.min(...next) > MAX_EDITS) return BEYOND;
    band = next;
  }
  return Math.min(band[right.length - left.length + MAX_EDITS] ?? BEYOND, BEYOND);
}
