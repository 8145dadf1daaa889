/** Classes per doubling: each is a fifth wider than the one before, so a percentile is right to about a tenth. */
const PER_DOUBLING = 4;

/** The class of a latency of at least a millisecond; what is faster is class 0. */
export function latencyClassOf(ms: number): number {
  return ms <= 1 ? 0 : Math.floor(Math.log2(ms) * PER_DOUBLING) + 1;
}

/** The middle of a class in milliseconds. */
export function latencyOf(latencyClass: number): number {
  return latencyClass === 0 ? 0.5 : 2 ** ((latencyClass - 0.5) / PER_DOUBLING);
}

/** The latency that `share` (0 to 1) of the counted tries did not exceed; undefined when there were none. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const classes = [...counts].sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [latencyClass, count] of classes) {
    seen += count;
    if (seen >= total * share) return latencyOf(latencyClass);
  }
  return undefined;
}
