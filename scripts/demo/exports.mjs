// The same events as objects in a bucket: gzipped JSON lines for one team, Parquet for another.
import { setTimeout as delay } from 'node:timers/promises';
import { startBucket } from './bucket.mjs';
import { bad, good, heading, line } from './report.mjs';

const EXPORTS = [
  { name: 'Tea shop lake (JSON lines)', prefix: 'lines/', format: 'ndjson' },
  { name: 'Tea shop lake (Parquet)', prefix: 'columns/', format: 'parquet' },
];
/** Small numbers, so that there are several objects, and soon. */
const LIMITS = { maxEvents: 150, flushSeconds: 2 };
const WAIT_MS = 20_000;

/** Starts a bucket and creates a destination per format. Answers what shows them, and stops the bucket. */
export async function startExports(api) {
  const bucket = await startBucket();
  const destinations = [];
  for (const { name, prefix, format } of EXPORTS) {
    const config = { ...bucket.config, ...LIMITS, prefix, format };
    destinations.push(await api.post('/destinations', { name, type: 's3-export', config }));
    const { delivered, answer } = await api.post(`/destinations/${destinations.at(-1).id}/test`, {});
    if (!delivered) throw new Error(`The bucket of the demo cannot be written to: ${answer}`);
  }
  return { show: (expected) => show(bucket, expected), stop: () => bucket.stop() };
}

/** Answers whether each export holds each event exactly once. */
async function show(bucket, expected) {
  heading(`The same events in an S3 bucket (${bucket.config.endpoint}/${bucket.config.bucket})`);
  let complete = true;
  for (const { name, prefix } of EXPORTS) {
    const ids = await idsBelow(bucket, prefix, expected);
    const isComplete = ids.length === expected && new Set(ids).size === expected;
    const keys = bucket.keys(prefix);
    const size = `${keys.length} objects, ${(bucket.bytes(keys) / 1024).toFixed(0)} KB`;
    line(name, (isComplete ? good : bad)(`${new Set(ids).size} of ${expected}, ${ids.length} rows, ${size}`));
    line('such as', keys[0] ?? 'none');
    complete &&= isComplete;
  }
  return complete;
}

async function idsBelow(bucket, prefix, expected) {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const ids = await bucket.messageIds(bucket.keys(prefix));
    if (ids.length >= expected || Date.now() > deadline) return ids;
    await delay(100);
  }
}
