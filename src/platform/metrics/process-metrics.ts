import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, type Registry } from 'prom-client';

/** By then it was seen a few times how late timers are: of none there is no number. */
const FIRST_LOOKS_MS = 50;

/**
 * Metrics of Node.js. Begun with the first scrape, because to know how late timers are it wakes a hundred times a
 * second, which is half of what a service costs that has nothing to do.
 */
export async function measureProcess(registry: Registry): Promise<void> {
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  // They count from now on, and a process has worked before.
  const before = {
    process_cpu_user_seconds_total: user,
    process_cpu_system_seconds_total: system,
    process_cpu_seconds_total: user + system,
  };
  for (const [name, micros] of Object.entries(before)) {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(micros / 1e6);
  }
  await delay(FIRST_LOOKS_MS);
}
