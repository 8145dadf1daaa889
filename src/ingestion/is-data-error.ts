/**
 * Whether PostgreSQL refused the values of a statement: SQLSTATE classes 21, 22, 23 (cardinality, data, integrity)
 * and 54 (a limit, such as a row too big for an index). Anything else is trouble of the server or the connection.
 */
export function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?:21|22|23|54)...$/.test(code);
}
