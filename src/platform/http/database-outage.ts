import { types } from 'node:util';

/** SQLSTATE classes that mean the database, not the statement: connection, resources, operator intervention. */
const OUTAGE_CLASSES = new Set(['08', '53', '57']);
const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** node-postgres and TypeORM report these without a code. */
const OUTAGE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i;

/** Whether an error says that PostgreSQL is away or refuses to work, so that a later try may succeed. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!isError(error)) return false;
  const code = sqlState(error);
  if (code !== undefined && (NETWORK_CODES.has(code) || OUTAGE_CLASSES.has(code.slice(0, 2)))) return true;
  if (OUTAGE_MESSAGES.test(error.message)) return true;
  // Node tries several addresses of a host and reports their failures together.
  return 'errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseOutage);
}

/** The SQLSTATE or network code of an error, wherever node-postgres or TypeORM put it. */
export function sqlState(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'driverError' in error ? sqlState(error.driverError) : undefined;
}

/** `instanceof` fails for errors of Node's own modules where code runs in a context of its own, as in Jest. */
function isError(error: unknown): error is Error {
  return types.isNativeError(error);
}
