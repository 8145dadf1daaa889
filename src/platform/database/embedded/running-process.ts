import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../boot/error-code';

const POLL_MS = 20;
/** What Linux says behind the name of a program whose file was removed, or replaced as by an update. */
const REMOVED = / \(deleted\)$/;

/** Whether a process of any user has this id. A zombie counts as gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return statusFields(pid)?.[0] !== 'Z';
}

/**
 * When the process started. The unit is the system's: the value only tells a process from a later one with the same id.
 * Undefined where the system has no /proc.
 */
export function startTimeOf(pid: number): string | undefined {
  return statusFields(pid)?.[19];
}

/** The command line, or undefined where the system has no /proc or there is no such process. */
export function commandLineOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return undefined; // No /proc, or the process has ended.
  }
}

/** The processes of a program that have `folder` as their working folder; none where the system has no /proc. */
export function processesIn(folder: string, program: string): number[] {
  const { dev, ino } = statSync(folder);
  return pids().filter((pid) => {
    try {
      const cwd = statSync(`/proc/${pid}/cwd`);
      return cwd.dev === dev && cwd.ino === ino && programOf(pid) === program;
    } catch {
      return false; // It has ended, or is somebody else's.
    }
  });
}

/** Resolves to whether the process ended within `timeoutMs`. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function programOf(pid: number): string {
  return basename(readlinkSync(`/proc/${pid}/exe`).replace(REMOVED, ''));
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return []; // No /proc.
  }
}

/** The fields of /proc/<pid>/stat from `state` on: what follows the name, which may hold blanks and brackets. */
function statusFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // No /proc, or the process has ended.
  }
}
