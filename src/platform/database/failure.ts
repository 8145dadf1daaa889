import { types } from 'node:util';

/**
 * What a failure of PostgreSQL asks for:
 * - `race`: another transaction was faster. The same work may succeed at once.
 * - `lock_timeout`: another transaction holds a lock for longer than this work may wait. Try later.
 * - `outage`: PostgreSQL is away, read-only or out of resources. That says nothing about the work. Try later.
 * - `refused`: PostgreSQL does not take the statement or its values, and will not take them later either.
 */
type Failure = 'race' | 'lock_timeout' | 'outage' | 'refused';

/** Thrown inside a transaction that has found another one in its way: {@link failureOf} calls it a race. */
export class LostRaceError extends Error {}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; a prefix stands for all that begin with it. */
const FAILURES: readonly (readonly [prefix: string, failure: Failure])[] = [
  ['40', 'race'], // Serialization failure, deadlock.
  ['55P03', 'lock_timeout'],
  ['08', 'outage'], // Connection.
  ['26', 'outage'], // A pooler lost a prepared statement, or has it from another of its clients.
  ['42P05', 'outage'],
  ['25006', 'outage'], // Read-only: a standby, or a primary that was demoted or has no room left.
  ['25P03', 'outage'], // The transaction was idle for too long, so its connection was ended.
  ['25P04', 'outage'], // The transaction took too long, so its connection was ended.
  ['28', 'outage'], // The credentials are refused.
  ['3D', 'outage'], // There is no such database.
  ['53', 'outage'], // Resources.
  ['57', 'outage'], // The operator intervenes.
  ['58', 'outage'], // The operating system fails.
];
/** The class `E` is not in use, so that `EPIPE` is no SQLSTATE. */
const SQL_STATE = /^(?!E)[0-9A-Z]{5}$/;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** node-postgres reports these without a code. */
const OUTAGE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|not queryable|after calling end on the pool/i;
/** Citus says it as an internal error: its server has been killed while it waited for a node. */
const KILLED_SERVER = 'postmaster was shut down';
/** Nor has it a state for what a node refuses of the rows that the coordinator copies there for an `insert … select`. */
const COPIED_TWICE = /^duplicate key value violates unique constraint "/;
const INTERNAL_ERROR = 'XX000';
/** What TypeORM says to the next query when the connection of a transaction is lost. */
const TYPEORM_OUTAGE = 'QueryRunnerAlreadyReleasedError';

/** Cardinality, data, integrity, and a limit such as a row too big for an index. */
const VALUE_STATES = /^(?:21|22|23|54)/;
/** Text that PostgreSQL cannot store, such as a NUL character. */
const TEXT_STATES = new Set(['22021', '22P05', '22P02']);
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
/** Also the SQLSTATE of a row outside of all partitions; only a check constraint has a name. */
const CHECK_VIOLATION = '23514';
/** What a node of Citus refuses comes with its message alone, which names the constraint of a shard. */
const CONSTRAINT_IN_MESSAGE = /constraint "(\w+?)(?:_\d{6,})?"/;
/** Of a statement that comes after one that failed, in the same transaction. */
const IN_FAILED_TRANSACTION = '25P02';
/** A prepared statement that is not there, and one that is there already. */
const LOST_STATEMENTS = new Set(['26000', '42P05']);
const INSUFFICIENT_PRIVILEGE = '42501';
const QUERY_CANCELED = '57014';
/** Of a statement that took too long, too much memory, or more room for its files than it may. */
const MAY_BE_TOO_MUCH = new Set([QUERY_CANCELED, '53200', '53400']);

/** What kind of failure an error is, from node-postgres or TypeORM; undefined for one that is none of PostgreSQL's. */
export function failureOf(error: unknown): Failure | undefined {
  if (!isError(error)) return undefined;
  if (error instanceof LostRaceError) return 'race';
  const state = sqlStateOf(error);
  if (state !== undefined) {
    if (error.message.includes(KILLED_SERVER)) return 'outage';
    return FAILURES.find(([prefix]) => state.startsWith(prefix))?.[1] ?? 'refused';
  }
  return isLostConnection(error) ? 'outage' : undefined;
}

/** Whether the same work may succeed later without a change. */
export function mayPass(error: unknown): boolean {
  const failure = failureOf(error);
  return failure !== undefined && failure !== 'refused';
}

/** Whether it passes whatever the work is: a statement may have taken too long, or too much, by its own doing. */
export function passesByItself(error: unknown): boolean {
  return mayPass(error) && !MAY_BE_TOO_MUCH.has(sqlStateOf(error) ?? '');
}

/** Whether it was the values of a statement that PostgreSQL refused, so that other values may be taken. */
export function refusesValues(error: unknown): boolean {
  return VALUE_STATES.test(sqlStateOf(error) ?? '') && !isMissingPartition(error);
}

/** Whether a text was refused for a character in it. */
export function refusesText(error: unknown): boolean {
  return TEXT_STATES.has(sqlStateOf(error) ?? '');
}

/** Whether there is such a row already. */
export function isUniqueViolation(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === INTERNAL_ERROR) return isError(error) && COPIED_TWICE.test(error.message);
  return state === UNIQUE_VIOLATION;
}

/** Whether a row names another one that is not there, or is named by one. */
export function isMissingReference(error: unknown): boolean {
  return sqlStateOf(error) === FOREIGN_KEY_VIOLATION;
}

/** The name of the constraint that a row broke. */
export function constraintOf(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint;
  if ('driverError' in error) return constraintOf(error.driverError);
  return CONSTRAINT_IN_MESSAGE.exec(error.message)?.[1];
}

/** Whether a row had no partition to go to. */
export function isMissingPartition(error: unknown): boolean {
  return sqlStateOf(error) === CHECK_VIOLATION && !constraintOf(error);
}

/** Whether a statement was refused only because an earlier one of its transaction had failed. */
export function followsFailure(error: unknown): boolean {
  return sqlStateOf(error) === IN_FAILED_TRANSACTION;
}

/** Whether a connection has not the prepared statements that it should have. */
export function losesStatements(error: unknown): boolean {
  return LOST_STATEMENTS.has(sqlStateOf(error) ?? '');
}

/** Whether the service's user may not do what was asked for. */
export function isForbidden(error: unknown): boolean {
  return sqlStateOf(error) === INSUFFICIENT_PRIVILEGE;
}

/** Whether a statement took longer than it may, or was cancelled. */
export function isCancelled(error: unknown): boolean {
  return sqlStateOf(error) === QUERY_CANCELED;
}

/** What an error says. The message of one that stands for several attempts (IPv4 and IPv6) is empty. */
export function reasonOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** Wherever node-postgres or TypeORM put it. */
function sqlStateOf(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && SQL_STATE.test(error.code)) return error.code;
  return 'driverError' in error ? sqlStateOf(error.driverError) : undefined;
}

function isLostConnection(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code)) return true;
  if (error.name === TYPEORM_OUTAGE || OUTAGE_MESSAGES.test(error.message)) return true;
  // Node tries several addresses of a host and reports their failures together.
  return (
    'errors' in error &&
    Array.isArray(error.errors) &&
    error.errors.some((each) => failureOf(each) === 'outage')
  );
}

/** `instanceof` fails for errors of Node's own modules where code runs in a context of its own, as in Jest. */
function isError(error: unknown): error is Error {
  return types.isNativeError(error);
}
