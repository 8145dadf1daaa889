// How the memory of the service processes develops.
import { residentMegabytes } from '../support/process-stats.mjs';

/** The first minute of a process is not its steady state. */
const WARM_UP_MS = 60_000;
const INTERVAL_MS = 2_000;

/** Samples until stopped; then answers, for the process with the longest steady life, its slope in MB a minute. */
export function watchMemory(services) {
  const series = new Map();
  let peak = 0;
  const timer = setInterval(() => {
    for (const { pid, up, startedAt } of services) {
      const { now } = residentMegabytes(pid);
      if (!up || Number.isNaN(now)) continue;
      peak = Math.max(peak, now);
      if (Date.now() - startedAt < WARM_UP_MS) continue;
      if (!series.has(pid)) series.set(pid, []);
      series.get(pid).push({ minute: Date.now() / 60_000, megabytes: now });
    }
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    const longest = [...series.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    return {
      peakMegabytes: Math.round(peak),
      slopeMegabytesPerMinute: longest.length < 10 ? undefined : Number(slope(longest).toFixed(2)),
      overMinutes: Number(((longest.length * INTERVAL_MS) / 60_000).toFixed(1)),
    };
  };
}

/** Of the line of least squares. */
function slope(points) {
  const mean = (value) => points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [x, y] = [mean((point) => point.minute), mean((point) => point.megabytes)];
  const above = points.reduce((sum, point) => sum + (point.minute - x) * (point.megabytes - y), 0);
  const below = points.reduce((sum, point) => sum + (point.minute - x) ** 2, 0);
  return above / below;
}
