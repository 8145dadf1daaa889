import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from './error-code';

/**
 * The errors of systems that cannot sync folders, or do not let this user open one. PostgreSQL ignores the same ones.
 */
const NO_FOLDER_SYNC = ['EISDIR', 'EACCES', 'EPERM', 'EBADF', 'EINVAL'];

/**
 * Makes a file, readable for this user only, that is on disk with its name when this returns. It appears complete or
 * not at all: neither a kill nor a power cut leaves an empty one.
 * @throws an error with the code EEXIST when there is one of that name, which stays as it is.
 */
export function createFileDurably(path: string, content: string): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const file = openSync(unfinished, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    giveName(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncFolder(dirname(path));
}

/** Renames a file or folder whose content is on disk already; the new name is, too, when this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Makes a folder, and those above it, where they are absent. */
export function makeFolderDurably(path: string): void {
  const made = mkdirSync(path, { recursive: true });
  if (made === undefined) return;
  for (let folder = resolve(path); folder.length >= resolve(made).length; folder = dirname(folder)) {
    syncFolder(dirname(folder));
  }
}

/** Brings a folder that others have written to the disk, with all that is in it. */
export function syncTree(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) syncTree(below);
    else if (entry.isFile()) sync(below);
  }
  syncFolder(path);
}

/** Brings the names in a folder to the disk: a file that was synced is lost all the same while its name is not. */
export function syncFolder(path: string): void {
  try {
    sync(path);
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(errorCode(error) ?? '')) throw error;
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Unlike a rename, a link does not replace what another process has just made. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    renameSync(unfinished, path); // The file system knows no links.
  }
}
