// What a benchmark has found out, for the table, the file and the chart of its run.

let figures = [];

/**
 * Notes one figure. `limit`, in the same unit, is what the machine can do at all, measured in the same run; a ratio to
 * it can be compared between machines.
 */
export function figure(part, name, value, unit, limit) {
  figures.push({ part, name, value, unit, ...(limit === undefined ? {} : { limit, ratio: value / limit }) });
}

/** All since the last call. */
export function takeFigures() {
  const taken = figures;
  figures = [];
  return taken;
}
