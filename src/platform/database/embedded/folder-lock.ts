import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { BootError } from '../../boot/boot-error';
import { isRunning, startTimeOf } from './running-process';

const holder = z.object({ pid: z.int(), startTime: z.string().optional() });

const ATTEMPTS = 3;

/**
 * Makes this process the only user of the embedded database. The lock of a process that was killed does not count.
 * @returns the function that lets go of it.
 * @throws BootError when a living process holds it.
 */
export function lockFolder(lockFile: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(lockFile, mine)) return () => rmSync(lockFile, { force: true });
    const other = livingHolder(lockFile);
    if (other !== undefined) {
      throw new BootError(
        `The data folder ${dirname(lockFile)} is used by another service (process ${other}): ` +
          'stop that one, or set CDP_DATA_DIR to another folder.',
      );
    }
    rmSync(lockFile, { force: true });
  }
  throw new BootError(`${lockFile} cannot be made: remove it and start again.`);
}

function create(lockFile: string, content: string): boolean {
  try {
    writeFileSync(lockFile, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function livingHolder(lockFile: string): number | undefined {
  try {
    const { pid, startTime } = holder.parse(JSON.parse(readFileSync(lockFile, 'utf8')));
    return isRunning(pid) && startTimeOf(pid) === startTime ? pid : undefined;
  } catch {
    return undefined; // The file is gone, or it was cut off when its writer was killed.
  }
}
