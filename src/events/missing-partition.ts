/** SQLSTATE of a broken check constraint, and of a row outside of all partitions; only the former has a name. */
const CHECK_VIOLATION = '23514';

/** Whether a row had no partition to go to. */
export function isMissingPartition(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  const constraint = 'constraint' in error ? error.constraint : undefined;
  return error.code === CHECK_VIOLATION && constraint === undefined;
}
