import { join, resolve } from 'node:path';
import type { Config } from '../config/config';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres';
import { BootError } from './boot-error';
import { openDataFolder } from './data-folder';

/** The connections that the processes of one start may open, with room to spare. See docs/operations.md. */
const CONNECTIONS_PER_PROCESS = 40;
const MIN_CONNECTIONS = 200;

interface UsableDatabase {
  /** The configuration with the address of the database in it. */
  readonly config: Config;
  close(): Promise<void>;
}

/** The message when there is no database and none is to be started. */
export function missingDatabase(config: Config): string | undefined {
  if (config.database.isGiven || config.mayEmbedDatabase) return undefined;
  if (config.database.isNeverEmbedded) {
    return 'CDP_DATABASE_URL is not set: it is the address of PostgreSQL, and with CDP_DATABASE_EMBEDDED=false none is started here.';
  }
  return (
    'CDP_DATABASE_URL is not set: it is the address of PostgreSQL. To run one in CDP_DATA_DIR in production, too, ' +
    'set CDP_DATABASE_EMBEDDED=true.'
  );
}

/**
 * The database that is configured, or, if there is none, one of our own in the data folder.
 * @param calledOff ends the start of our own, which then throws the reason
 * @throws BootError when there is neither.
 */
export async function openDatabase(config: Config, calledOff?: AbortSignal): Promise<UsableDatabase> {
  if (config.database.isGiven) return { config, close: async () => undefined };
  const missing = missingDatabase(config);
  if (missing !== undefined) throw new BootError(missing);
  const dataFolder = openDataFolder(resolve(config.dataDir));
  const postgres = await startEmbeddedPostgres({
    directory: join(dataFolder, 'postgres'),
    settings: [`max_connections=${Math.max(MIN_CONNECTIONS, config.processes * CONNECTIONS_PER_PROCESS)}`],
    calledOff,
  });
  return { config: config.withEmbeddedDatabase(postgres.url), close: () => postgres.stop() };
}
