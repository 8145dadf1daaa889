import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from '../../boot/boot-error';
import { createFileDurably, renameDurably } from '../../boot/durable-files';
import type { ServerBinaries } from './server-binaries';
import type { ServerUser } from './server-user';

/** The superuser of the embedded cluster. */
export const CLUSTER_USER = 'cdp';

/** The file is in the cluster's folder. Only the server's user and root can enter that. */
const PASSWORD_FILE = 'service-password';
const PASSWORD_BYTES = 24;

/**
 * Makes a new cluster with a random password, if there is none. It appears under its name when it is complete and on
 * disk: neither a kill nor a power cut leaves something that looks like a cluster and cannot be opened.
 */
export async function initialiseCluster(
  binaries: ServerBinaries,
  path: string,
  user: ServerUser | undefined,
): Promise<void> {
  if (existsSync(join(path, 'PG_VERSION'))) return;
  const unfinished = `${path}.new`;
  const passwordFile = `${path}.new-password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  createFileDurably(passwordFile, randomBytes(PASSWORD_BYTES).toString('base64url'));
  if (user !== undefined) for (const made of [unfinished, passwordFile]) chownSync(made, user.uid, user.gid);
  await runInitdb(binaries.initdb, ['-D', unfinished, `--pwfile=${passwordFile}`], user);
  // What initdb makes it syncs itself.
  renameDurably(passwordFile, join(unfinished, PASSWORD_FILE));
  renameDurably(unfinished, path);
}

/** @throws BootError when another user's cluster lies there. */
export function clusterPassword(path: string): string {
  const file = join(path, PASSWORD_FILE);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BootError(
      `${file} cannot be read (${String(error)}): start the service as the user who made ${path}, ` +
        'or set CDP_DATA_DIR to another folder.',
      { cause: error },
    );
  }
}

/**
 * Character handling comes from PostgreSQL itself (provider `builtin`), so that a cluster sorts and compares
 * the same on every system.
 */
const INITDB_OPTIONS = [
  `--username=${CLUSTER_USER}`,
  '--auth=scram-sha-256',
  // A page that the disk gives back damaged is reported, not read.
  '--data-checksums',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

function runInitdb(initdb: string, options: string[], user: ServerUser | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // Detached: Ctrl-C in a terminal goes to this process, which then decides what stops when.
    const run = spawn(initdb, [...INITDB_OPTIONS, ...options], { ...user, cwd: '/', detached: true });
    let output = '';
    run.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    run.stdout.resume();
    run.once('error', reject);
    run.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new BootError(`A new PostgreSQL cluster could not be made: ${output.trim()}`));
    });
  });
}
