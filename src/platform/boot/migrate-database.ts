import { type Config } from '../config/config';
import { runMigrations } from '../database/run-migrations';
import { BootError } from './boot-error';

/** What PostgreSQL or the network says when the address or the credentials are wrong, as opposed to a migration. */
const UNUSABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name
  '42501', // insufficient_privilege
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
]);

/** Brings the configured database up to this version. @throws BootError when it cannot be reached or used. */
export async function migrateDatabase(config: Config): Promise<void> {
  try {
    await runMigrations(config.directDatabaseUrl);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    const { hostname, port, pathname } = new URL(config.directDatabaseUrl);
    throw new BootError(
      `PostgreSQL at ${hostname}:${port === '' ? '5432' : port}${pathname} cannot be used (${reasonOf(error)}): ` +
        'check that it runs, and CDP_DATABASE_URL.',
      { cause: error },
    );
  }
}

function isUnusable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return UNUSABLE.has(code) || error.message.startsWith('timeout expired');
}

/** The message of an error that stands for several attempts (IPv4 and IPv6) is empty. */
function reasonOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
