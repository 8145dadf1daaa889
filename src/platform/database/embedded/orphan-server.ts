import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from '../../boot/boot-error';
import { commandLineOf, hasEnded, isRunning, processesIn } from './running-process';

/** What PostgreSQL is asked, and how long it may take: fast shutdown, then immediate, then none at all. */
const STOP_STEPS = [
  { signal: 'SIGINT', timeoutMs: 15_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

/** Ends a server, gently first. Committed data is safe after each of the steps. */
export async function stopServer(pid: number): Promise<void> {
  for (const { signal, timeoutMs } of STOP_STEPS) {
    try {
      process.kill(pid, signal);
    } catch {
      return; // Already gone.
    }
    if (await hasEnded(pid, timeoutMs)) return;
  }
  throw new BootError(`PostgreSQL (process ${pid}) does not stop: end it and start again.`);
}

/**
 * Stops the server that a killed service left running on this cluster. The caller holds the folder's lock,
 * so a server that still runs there is an orphan.
 * @returns its process id, or undefined when there was none.
 */
export async function stopOrphan(clusterPath: string): Promise<number | undefined> {
  const pidFile = join(clusterPath, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return undefined;
  if (!isRunning(pid) || !serves(pid, clusterPath)) {
    // After a crash the id in the file may belong to any other program by now, which PostgreSQL cannot tell.
    rmSync(pidFile, { force: true });
    return undefined;
  }
  await stopServer(pid);
  return pid;
}

/**
 * Kills what a server that was killed left of itself: until the last of its processes has ended, no other one starts
 * on the cluster, and one that waits for another, or for the disk, does not notice. The caller holds the folder's lock
 * and has no server running. Where the system has no /proc, they are left to end by themselves.
 * @returns their process ids.
 */
export function killLeftovers(clusterPath: string): number[] {
  const leftovers = processesIn(clusterPath, 'postgres');
  for (const pid of leftovers) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue; // Already gone.
    }
  }
  return leftovers;
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined; // No such file: it was shut down in good order, or never ran.
  }
}

/** True when in doubt, that is on systems without /proc. */
function serves(pid: number, clusterPath: string): boolean {
  return commandLineOf(pid)?.includes(clusterPath) ?? true;
}
