// @ts-check
// CPU time and memory of processes, from /proc (Linux only; elsewhere everything is NaN).
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU seconds a process has used, those of its ended children included. */
export function cpuSeconds(pid) {
  try {
    return (
      statOf(pid)
        .slice(11, 15)
        .reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
    );
  } catch {
    return Number.NaN;
  }
}

/** CPU seconds of a process and everything below it that is running. */
export function treeCpuSeconds(root) {
  return [root, ...descendants(root)]
    .map(cpuSeconds)
    .filter((seconds) => !Number.isNaN(seconds))
    .reduce((sum, seconds) => sum + seconds, 0);
}

/** Resident megabytes now and at their peak. */
export function residentMegabytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}

/** The parent of a process. */
export function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** What the kernel says of a process, from its state on: its name comes before, and may hold anything. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(') ') + 2).split(' ');
}

function descendants(root) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = parentOf(entry);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // Ended meanwhile.
    }
  }
  const found = [];
  for (
    let next = children.get(root) ?? [];
    next.length > 0;
    next = next.flatMap((pid) => children.get(pid) ?? [])
  ) {
    found.push(...next);
  }
  return found;
}
