import { join, resolve } from 'node:path';
import type { Config } from '../config/config';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres';
import { openDataFolder } from './data-folder';

/** What the processes of one start may open, with room to spare; see docs/operations.md. */
const CONNECTIONS_PER_PROCESS = 40;
const MIN_CONNECTIONS = 200;

export interface UsableDatabase {
  /** The configuration with the address of the database in it. */
  readonly config: Config;
  close(): Promise<void>;
}

/** The database that is configured, or, if there is none, one of our own in the data folder. */
export async function openDatabase(config: Config): Promise<UsableDatabase> {
  if (config.env.CDP_DATABASE_URL !== undefined) return { config, close: async () => undefined };
  const dataFolder = openDataFolder(resolve(config.env.CDP_DATA_DIR));
  const postgres = await startEmbeddedPostgres({
    directory: join(dataFolder, 'postgres'),
    settings: [`max_connections=${Math.max(MIN_CONNECTIONS, config.processes * CONNECTIONS_PER_PROCESS)}`],
  });
  return { config: config.withEmbeddedDatabase(postgres.url), close: () => postgres.stop() };
}
