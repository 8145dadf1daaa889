// Processes inbox rows with a number of worker processes.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasurement } from '../support/child.mjs';

const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'worker.mjs');
/** Batches that one worker process works on at once: JOBS_AT_ONCE of inbox-reader.ts. */
const CONCURRENCY = 2;

/** Answers events per second, from the first worker's start to the last one's end, and CPU seconds of Node. */
export async function runWorkers(databaseUrl, inboxIds, events, workers) {
  const results = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      runMeasurement(WORKER, {
        databaseUrl,
        inboxIds: inboxIds.filter((__, index) => index % workers === worker),
        concurrency: CONCURRENCY,
      }),
    ),
  );
  const from = Math.min(...results.map((result) => result.from));
  const to = Math.max(...results.map((result) => result.to));
  const cpuSeconds = results.reduce((sum, result) => sum + result.cpuSeconds, 0);
  return { eventsPerSecond: (events * 1000) / (to - from), nodeMicroseconds: (cpuSeconds * 1e6) / events };
}
