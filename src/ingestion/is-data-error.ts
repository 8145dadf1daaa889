import { isMissingPartition } from '../events/missing-partition';

/**
 * Whether PostgreSQL refused the values of a statement: SQLSTATE classes 21, 22, 23 (cardinality, data, integrity)
 * and 54 (a limit, such as a row too big for an index). Anything else is trouble of the server or the connection.
 */
export function isDataError(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || isMissingPartition(error)) return false;
  return /^(?:21|22|23|54)...$/.test(code);
}
