import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { BootError } from '../../boot/boot-error';
import { errorCode } from '../../boot/error-code';
import { isRunning, startTimeOf } from './running-process';

const holder = z.object({ pid: z.int(), startTime: z.string().optional(), place: z.string().optional() });

const ATTEMPTS = 3;
/** How often a holder shows that it lives, for those who cannot see its process. */
const BEAT_MS = 2_000;
const POLL_MS = 100;

interface FolderLockOptions {
  /** How long a holder in another container or on another machine shows nothing before it counts as gone. */
  readonly silenceMs?: number;
}

/**
 * Makes this process the only user of the embedded database. The lock of a process that was killed does not count: that
 * of another container or machine, whose processes cannot be seen from here, once it has shown nothing for a while.
 * @returns the function that lets go of it.
 * @throws BootError when a living process holds it.
 */
export async function lockFolder(
  lockFile: string,
  { silenceMs = 20_000 }: FolderLockOptions = {},
): Promise<() => void> {
  const mine = JSON.stringify({
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    place: placeOfProcess(),
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(lockFile, mine)) return keepLock(lockFile);
    const found = read(lockFile);
    if (found === undefined) continue;
    const other = await livingHolder(lockFile, found, silenceMs);
    if (other !== undefined) {
      throw new BootError(
        `The data folder ${dirname(lockFile)} is used by another service (${other}): ` +
          'stop that one, or set CDP_DATA_DIR to another folder.',
      );
    }
    removeUnlessChanged(lockFile, found);
  }
  throw new BootError(`${lockFile} cannot be made: remove it and start again.`);
}

/** With all of its content at once: whoever reads half of it takes its holder for one that was killed. */
function create(lockFile: string, content: string): boolean {
  const whole = besides(lockFile);
  try {
    writeFileSync(whole, content);
    linkSync(whole, lockFile);
    return true;
  } catch (error) {
    // Not every file system has links.
    return errorCode(error) === 'EEXIST' ? false : createSlowly(lockFile, content);
  } finally {
    rmSync(whole, { force: true });
  }
}

function createSlowly(lockFile: string, content: string): boolean {
  try {
    writeFileSync(lockFile, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a holder that is gone; one that another process has made meanwhile stays. */
function removeUnlessChanged(lockFile: string, content: string): void {
  const aside = besides(lockFile);
  try {
    renameSync(lockFile, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readFileSync(aside, 'utf8');
  if (moved !== content) create(lockFile, moved);
  rmSync(aside, { force: true });
}

function besides(lockFile: string): string {
  return `${lockFile}.${randomUUID()}`;
}

function keepLock(lockFile: string): () => void {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(lockFile, now, now, () => undefined); // Where it cannot be written PostgreSQL says so.
  }, BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    rmSync(lockFile, { force: true });
  };
}

async function livingHolder(
  lockFile: string,
  content: string,
  silenceMs: number,
): Promise<string | undefined> {
  const found = parse(content);
  if (found === undefined) return undefined;
  const { pid, startTime, place } = found;
  if (place !== undefined && place !== placeOfProcess())
    return (await changes(lockFile, silenceMs)) ? 'in another container or on another machine' : undefined;
  return isRunning(pid) && startTimeOf(pid) === startTime ? `process ${pid}` : undefined;
}

function read(lockFile: string): string | undefined {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined; // Its holder has just let go of it.
    throw error;
  }
}

function parse(content: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(content));
  } catch {
    return undefined; // It was cut off when its writer was killed.
  }
}

/** Where process ids mean the same: a machine, or a container on it. */
function placeOfProcess(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname(); // No /proc.
  }
}

/** Whether the file changes within the time. Clocks of two machines may differ: only its own times are compared. */
async function changes(file: string, withinMs: number): Promise<boolean> {
  const first = modifiedAt(file);
  for (const end = performance.now() + withinMs; performance.now() < end; await delay(POLL_MS)) {
    const now = modifiedAt(file);
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
