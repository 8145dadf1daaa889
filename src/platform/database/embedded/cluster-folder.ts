import { chmodSync, existsSync, lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { BootError } from '../../boot/boot-error';
import { makeFolderDurably, syncFolder } from '../../boot/durable-files';
import { canEnter, type ServerUser } from './server-user';

/** Where things go that the server's user could not reach in the data folder. Only root ever needs it. */
const REACHABLE_FOLDER = '/var/lib/cdp-service';

/** Where the embedded PostgreSQL keeps its files. */
interface ClusterFolder {
  /** The cluster itself; may not exist yet. */
  readonly path: string;
  /** Where a copy of the binaries may go. */
  readonly copyFolder: string;
  /** Set when the cluster does not lie where it was asked for, but at the end of a symbolic link there. */
  readonly linkedFrom?: string;
}

/**
 * Decides where the cluster of `directory` lies: there, as long as the user that PostgreSQL runs as can get
 * there. A data folder below a private one (/root, say) holds a symbolic link instead.
 */
export function clusterFolder(directory: string, user: ServerUser | undefined): ClusterFolder {
  const linked = lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (linked) {
    const path = readlinkSync(directory);
    return { path, copyFolder: dirname(path), linkedFrom: directory };
  }
  const parent = dirname(directory);
  if (user === undefined || canEnter(parent, user)) return { path: directory, copyFolder: parent };
  if (existsSync(directory)) throw unreachable(directory);
  makeReachableFolder(directory);
  return {
    path: join(REACHABLE_FOLDER, `postgres-${randomUUID()}`),
    copyFolder: REACHABLE_FOLDER,
    linkedFrom: directory,
  };
}

/** Leaves the link, once there is a cluster at its end. */
export function linkCluster({ path, linkedFrom }: ClusterFolder): void {
  if (linkedFrom === undefined) return;
  rmSync(linkedFrom, { force: true });
  symlinkSync(path, linkedFrom);
  syncFolder(dirname(linkedFrom));
}

function makeReachableFolder(directory: string): void {
  try {
    makeFolderDurably(REACHABLE_FOLDER);
    chmodSync(REACHABLE_FOLDER, 0o755);
  } catch (error) {
    throw unreachable(directory, error);
  }
}

function unreachable(directory: string, cause?: unknown): BootError {
  return new BootError(
    `PostgreSQL does not run as root, and the account it runs as cannot reach ${directory}: ` +
      'set CDP_DATA_DIR to a folder that everyone may enter, or start the service as another user.',
    { cause },
  );
}
