/** Edits that still count as a slip of the pen; fewer in a short name, which few edits make into any other. */
const MAX_EDITS = 2;
const SHORT_NAME = 5;

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

/** The Levenshtein distance. */
function editsBetween(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MAX_EDITS) return MAX_EDITS + 1;
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const replaced = Number(row[to - 1]) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, Number(row[to]) + 1, Number(next[to - 1]) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
