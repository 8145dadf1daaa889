import { type Config } from '../config/config';
import { failureOf, isForbidden, reasonOf } from '../database/failure';
import { runMigrations } from '../database/run-migrations';
import { BootError } from './boot-error';

const OWNER_NEEDED =
  'the user of CDP_DATABASE_URL has to own the schema, see "The user of PostgreSQL" in docs/operations.md.';

/** Brings the configured database up to this version. @throws BootError when it cannot be reached or used. */
export async function migrateDatabase(config: Config): Promise<void> {
  try {
    await runMigrations(config.directDatabaseUrl);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    const { hostname, port, pathname } = new URL(config.directDatabaseUrl);
    throw new BootError(
      `PostgreSQL at ${hostname}:${port === '' ? '5432' : port}${pathname} cannot be used (${reasonOf(error)}): ` +
        (isForbidden(error) ? OWNER_NEEDED : 'check that it runs, and CDP_DATABASE_URL.'),
      { cause: error },
    );
  }
}

/** The address, the server or the credentials are wrong, as opposed to a migration. */
function isUnusable(error: unknown): error is Error {
  return failureOf(error) === 'outage' || isForbidden(error);
}
