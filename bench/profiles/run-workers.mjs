// Processes inbox rows with a number of worker processes.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasurement } from '../support/child.mjs';
import { START_ARGS } from '../support/start-args.mjs';
import { EVENTS_PER_ROW } from './traffic.mjs';

const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'worker.mjs');
/** Batches that one worker process works on at once: JOBS_AT_ONCE of inbox-reader.ts. */
const CONCURRENCY = 2;

/** Inbox rows that each worker processes before the clock starts, so that its code is compiled, as in a service. */
const WARMUP_ROWS = 40;

/** Events that must be in the inbox beyond those that are measured. */
export const warmupEvents = (workers) => workers * WARMUP_ROWS * EVENTS_PER_ROW;

/**
 * Processes `events` events, and before them those of the warm-up. Answers events per second, from the first worker's
 * start to the last one's end, and CPU seconds of Node.
 */
export async function runWorkers(databaseUrl, inboxIds, events, workers) {
  const results = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      runMeasurement(
        WORKER,
        {
          databaseUrl,
          inboxIds: inboxIds.filter((__, index) => index % workers === worker),
          warmupRows: WARMUP_ROWS,
          concurrency: CONCURRENCY,
        },
        undefined,
        START_ARGS,
      ),
    ),
  );
  const from = Math.min(...results.map((result) => result.from));
  const to = Math.max(...results.map((result) => result.to));
  const cpuSeconds = results.reduce((sum, result) => sum + result.cpuSeconds, 0);
  return { eventsPerSecond: (events * 1000) / (to - from), nodeMicroseconds: (cpuSeconds * 1e6) / events };
}
