/** How many there are, and between what the number is with 95 % likelihood. */
export interface Estimate {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** Standard errors of a mean within which it is in 95 % of cases. */
const DEVIATIONS = 1.96;
/** What was not found once in n places is in fewer than 3/n of all, in 95 % of cases. */
const UNSEEN = 3;

/** From what was found in places that chance has chosen. @param all places that there are */
export function estimateTotal(found: readonly number[], all: number): Estimate {
  const places = found.length;
  const known = found.reduce((sum, each) => sum + each, 0);
  const mean = places === 0 ? 0 : known / places;
  const squares = found.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const variance = places < 2 ? mean ** 2 : squares / (places - 1);
  const left = all - places;
  // Of a part of few places: all of them leave no error.
  const error = DEVIATIONS * all * Math.sqrt(((variance / Math.max(1, places)) * left) / Math.max(1, all));
  const unseen = (UNSEEN * left) / Math.max(1, places);
  const count = Math.round(mean * all);
  return {
    count,
    low: Math.min(count, Math.max(known, Math.floor(count - error))),
    high: Math.ceil(count + Math.max(error, unseen)),
  };
}
