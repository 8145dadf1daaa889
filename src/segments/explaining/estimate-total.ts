/** How many there are, and between what the number is with 95 % likelihood. */
export interface Estimate {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** Standard errors of a mean within which it is in 95 % of cases. */
const DEVIATIONS = 1.96;
/** What was not found once in n clusters is in fewer than 3/n of all, in 95 % of cases. */
const UNSEEN = 3;

/**
 * From what was found in clusters that chance has chosen. The bounds are those of one more without any and one more with
 * as many as had most: of what lies together, few of the clusters that are unlike the others may have been seen, or none.
 * @param all clusters that there are
 */
export function estimateTotal(found: readonly number[], all: number): Estimate {
  const clusters = found.length;
  const known = found.reduce((sum, each) => sum + each, 0);
  const mean = clusters === 0 ? 0 : known / clusters;
  const most = found.reduce((max, each) => Math.max(max, each), 0);
  const squares = [...found, 0, most].reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const variance = clusters < 2 ? mean ** 2 : squares / (clusters - 1);
  const left = all - clusters;
  // Of a part of few clusters: all of them leave no error.
  const error = DEVIATIONS * all * Math.sqrt(((variance / Math.max(1, clusters)) * left) / Math.max(1, all));
  const unseen = (UNSEEN * left) / Math.max(1, clusters);
  const count = Math.round(mean * all);
  return {
    count,
    low: Math.min(count, Math.max(known, Math.floor(count - error))),
    high: Math.ceil(count + Math.max(error, unseen)),
  };
}
