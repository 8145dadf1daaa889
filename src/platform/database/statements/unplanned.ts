// Parameters whose values the planner does not see. PostgreSQL keeps a plan for a prepared statement only if one for the
// values at hand does not look cheaper, as it nearly always does with a limit, a list or the end of a range. Where there
// are many partitions, making that one each time takes longer than running it.

/** An id at the end of a range: worked out when the statement begins, which is early enough to leave partitions out. */
export function unplannedId(param: string): string {
  // Stable, as `concat` is, and not immutable.
  return `concat(${param}::uuid)::uuid`;
}

/** A list of ids. */
export function unplannedIds(param: string): string {
  return `array(select unnest(${param}::uuid[]))`;
}

/** How many rows at most. */
export function unplannedLimit(param: string): string {
  return `(select ${param}::integer)`;
}
