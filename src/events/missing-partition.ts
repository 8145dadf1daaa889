/** SQLSTATE of a broken check constraint. The partitioned tables have none but the bounds of their partitions. */
const CHECK_VIOLATION = '23514';

/** Whether a row had no partition to go to. */
export function isMissingPartition(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === CHECK_VIOLATION;
}
