import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from '../../boot/boot-error';

/** The user that PostgreSQL runs as when this process is root. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that systems have for such a purpose, best first. */
const CANDIDATES = ['postgres', 'nobody'];

/** Undefined when this process is not root: PostgreSQL then runs as the same user. */
export function serverUser(clusterFolder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return ownerOf(clusterFolder) ?? knownAccount();
}

/** May `user` enter the folder? Asks the system, which knows all the rules. */
export function canEnter(folder: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], { ...user, cwd: '/' }).status === 0;
}

/** PostgreSQL never runs as root, so that what root has of a cluster is of a copy that root made: it becomes the user's. */
export function giveCopyTo({ uid, gid }: ServerUser, clusterFolder: string): void {
  if (!existsSync(join(clusterFolder, 'PG_VERSION'))) return;
  for (const entry of ['.', ...readdirSync(clusterFolder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(clusterFolder, entry);
    if (lstatSync(path).uid === 0) lchownSync(path, uid, gid);
  }
}

/** A cluster stays with the user who made it. */
function ownerOf(clusterFolder: string): ServerUser | undefined {
  if (!existsSync(clusterFolder)) return undefined;
  const { uid, gid } = statSync(clusterFolder);
  return uid === 0 ? undefined : { uid, gid };
}

function knownAccount(): ServerUser {
  for (const name of CANDIDATES) {
    const [uid, gid] = [accountId('-u', name), accountId('-g', name)];
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new BootError(
    `PostgreSQL does not run as root, and there is no account ${CANDIDATES.join(' or ')} to run it as: ` +
      'start the service as another user, or set CDP_DATABASE_URL.',
  );
}

function accountId(kind: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [kind, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}
