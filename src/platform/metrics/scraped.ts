import { setTimeout as delay } from 'node:timers/promises';
import type { Gauge } from 'prom-client';

/** Several scrapers, and several gauges of one scrape, share a reading for this time. */
const FRESH_MS = 5_000;
/** A scrape must end although PostgreSQL or the queue does not answer. */
const TIMEOUT_MS = 1_000;

/**
 * Makes a reading of something outside the process fit for scrapes: at most one is under way, its answer is
 * shared for five seconds, and it is undefined when it fails or takes longer than a second.
 */
export function scraped<T>(
  read: () => Promise<T>,
  now: () => number = Date.now,
): () => Promise<T | undefined> {
  let running: Promise<T | undefined> | undefined;
  let last: { readonly at: number; readonly value: T } | undefined;
  const run = async (): Promise<T | undefined> => {
    try {
      const value = await read();
      last = { at: now(), value };
      return value;
    } catch {
      return undefined; // The outage shows in the health checks; here the numbers are missing.
    } finally {
      running = undefined;
    }
  };
  return () => {
    if (last !== undefined && now() - last.at < FRESH_MS) return Promise.resolve(last.value);
    running ??= run();
    return Promise.race([running, delay(TIMEOUT_MS, undefined, { ref: false })]);
  };
}

/** Shows what was read. What was not is missing: a gauge would go on to show what it was before the outage. */
export function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
