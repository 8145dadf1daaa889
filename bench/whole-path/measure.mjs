// What the measurements of the whole path share.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runMeasurement } from '../support/child.mjs';
import { cpuSeconds, residentMegabytes, treeCpuSeconds } from '../support/process-stats.mjs';

const GENERATOR = join(new URL('.', import.meta.url).pathname, '../ingest/generator.mjs');

/** What is under way when the generator stops has so long to arrive. */
const MAX_DRAIN_MS = 30_000;

/** One rate: what arrives while it is offered, how late, and how long the rest takes. */
export async function offer(rate, options, { fixture, service }) {
  let from;
  const result = await runMeasurement(
    GENERATOR,
    {
      ...options,
      port: Number(new URL(service.url).port),
      run: randomBytes(6).toString('hex'),
      stamped: true,
      requestsPerSecond: rate / options.batchSize,
    },
    ({ measuring }) => {
      if (!measuring) return;
      from = {
        at: performance.now(),
        service: cpuSeconds(service.pid),
        postgres: treeCpuSeconds(fixture.postgresPid),
      };
      void fetch(`${fixture.receiverUrl}/control/reset`);
    },
  );
  const seconds = (performance.now() - from.at) / 1000;
  const { received, distinct, latencies } = await receivedBy(fixture);
  const perEvent = (cpu) => (cpu / distinct) * 1e6;
  const row = {
    offered: rate,
    batchSize: options.batchSize,
    acceptedPerSecond: result.eventsPerSecond,
    deliveredPerSecond: received / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: latencies.at(-1),
    requestP50Ms: result.p50Ms,
    requestP99Ms: result.p99Ms,
    statuses: result.statuses,
    serviceCpuMicroseconds: perEvent(cpuSeconds(service.pid) - from.service),
    postgresCpuMicroseconds: perEvent(treeCpuSeconds(fixture.postgresPid) - from.postgres),
    peakMegabytes: residentMegabytes(service.pid).peak,
  };
  row.drainMs = await untilDelivered(fixture.client);
  return row;
}

export async function receivedBy(fixture) {
  const seen = Object.values(await (await fetch(`${fixture.receiverUrl}/control/stats`)).json());
  return {
    received: seen.reduce((sum, { received }) => sum + received, 0),
    distinct: seen.reduce((sum, { distinct }) => sum + distinct, 0),
    latencies: seen.flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
  };
}

/** Milliseconds until nothing is on its way any more. */
export async function untilDelivered(client) {
  const start = performance.now();
  for (;;) {
    const { rows } = await client.query(
      `select exists (select from inbox) or exists (select from delivery where state = 'pending') as busy`,
    );
    if (!rows[0].busy) return performance.now() - start;
    if (performance.now() - start > MAX_DRAIN_MS) throw new Error('Events are stuck on their way.');
    await delay(20);
  }
}

export async function makeSource(client) {
  const writeKey = randomBytes(32).toString('hex');
  await client.query(
    'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
    [randomUUID(), 'benchmark', createHash('sha256').update(writeKey).digest(), ''],
  );
  return writeKey;
}

export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
