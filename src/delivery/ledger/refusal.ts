import { DatabaseError } from 'pg';

/** Classes of SQLSTATE that pass by themselves: connection, resources, operator, deadlocks. */
const OUTAGES = ['08', '53', '57', '58', '40'];

/**
 * Whether PostgreSQL refused what it was given, rather than being away: the log of tries has no partition for it, a
 * trigger of the operator's raises. Then the ledger is written without the log, or what was sent would be sent again.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && !OUTAGES.includes((error.code ?? '').slice(0, 2));
}
