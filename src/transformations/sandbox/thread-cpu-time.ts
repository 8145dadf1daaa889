import { readFileSync, readlinkSync } from 'node:fs';

const NS_PER_MS = 1_000_000;

/**
 * Where Linux says how long the calling thread has run, for other threads of the process to read; undefined elsewhere.
 * Node.js 20 tells of none but the whole process.
 */
export function ownCpuFile(): string | undefined {
  try {
    const file = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`;
    return readCpuMs(file) === undefined ? undefined : file;
  } catch {
    return undefined; // May stop here: the system has no such file.
  }
}

/**
 * How long a thread has run on a processor, in milliseconds; undefined where nobody says so, or no more. A kernel that
 * does not count says `0 0 0` of each.
 */
export function readCpuMs(cpuFile: string): number | undefined {
  try {
    const ns = Number.parseInt(readFileSync(cpuFile, 'latin1'), 10);
    return ns > 0 ? ns / NS_PER_MS : undefined;
  } catch {
    return undefined; // May stop here: the thread has ended.
  }
}
