// How the memory of the service processes develops: what is left after a full collection, and what is resident then.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMegabytes } from '../support/process-stats.mjs';

/** Caches, pools and compiled code of a process grow until then; that is no slope. */
const WARM_UP_MS = 120_000;
/** A line through fewer points says nothing. */
const MIN_SAMPLES = 12;
const PEAK_INTERVAL_MS = 2_000;
const MEGABYTE = 2 ** 20;

/** Where the probes of the processes write. */
export function openMemoryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'cdp-soak-memory-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Watches until stopped; then answers the peak, and the slopes of each process that lived long enough. */
export function watchMemory(services, folder) {
  const lives = new Map();
  const timer = setInterval(() => {
    for (const { index, pid, up, startedAt } of services) {
      if (!up) continue;
      const { now } = residentMegabytes(pid);
      if (Number.isNaN(now)) continue;
      const life = lives.get(pid) ?? { process: index + 1, startedAt, peak: 0 };
      lives.set(pid, { ...life, peak: Math.max(life.peak, now) });
    }
  }, PEAK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    const steady = [...lives].flatMap(([pid, { process, startedAt }]) => {
      const samples = readSamples(join(folder, `${pid}.jsonl`)).filter(
        ({ at }) => at - startedAt > WARM_UP_MS,
      );
      return samples.length < MIN_SAMPLES ? [] : [{ process, ...developmentOf(samples) }];
    });
    return {
      peakMegabytes: Math.round(Math.max(...[...lives.values()].map(({ peak }) => peak))),
      processes: lives.size,
      steady,
    };
  };
}

function developmentOf(samples) {
  const [first, last] = [samples[0], samples.at(-1)];
  return {
    minutes: Number(((last.at - first.at) / 60_000).toFixed(1)),
    keptMegabytes: [first.kept, last.kept].map((bytes) => Math.round(bytes / MEGABYTE)),
    keptMegabytesPerMinute: slope(samples, ({ kept }) => kept),
    residentMegabytes: [first.rss, last.rss].map((bytes) => Math.round(bytes / MEGABYTE)),
    residentMegabytesPerMinute: slope(samples, ({ rss }) => rss),
  };
}

function readSamples(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Of the line of least squares, in megabytes a minute. */
function slope(samples, bytesOf) {
  const points = samples.map((sample) => ({ x: sample.at / 60_000, y: bytesOf(sample) / MEGABYTE }));
  const mean = (value) => points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const above = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const below = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return Number((above / below).toFixed(2));
}
