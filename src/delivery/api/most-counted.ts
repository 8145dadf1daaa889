/** More than this is not counted: it says the same, and would take long. */
export const MAX_COUNT = 100_000;
/** For each of many destinations. */
const MIN_COUNT = 1_000;

/** Where counting ends for each of so many destinations, a round number: all together cost no more than one alone. */
export function mostCounted(destinations: number): number {
  let most = MAX_COUNT;
  while (most > MIN_COUNT && most * destinations > MAX_COUNT) most /= 10;
  return most;
}
