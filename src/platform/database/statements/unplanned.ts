// Parameters whose values the planner does not see. PostgreSQL keeps a plan for a prepared statement only if one for
// the values at hand does not look cheaper, as it nearly always does with a limit, a list of fewer than ten or the end
// of a range. Making that one each time takes longer than running it where there are many partitions, or little to do.

/** An id at the end of a range: worked out when the statement begins, which is early enough to leave partitions out. */
export function unplannedId(param: string): string {
  // Stable, as `concat` is, and not immutable.
  return `concat(${param}::uuid)::uuid`;
}

/** A list, for `unnest` or `= any`: how many are in it. */
export function unplannedList(
  param: string,
  type: 'bigint' | 'json' | 'text' | 'timestamptz' | 'uuid',
): string {
  // Without the cast around it, `any` would take it for a query that returns rows.
  return `(select ${param}::${type}[])::${type}[]`;
}

/** How many rows at most. */
export function unplannedLimit(param: string): string {
  return `(select ${param}::integer)`;
}
