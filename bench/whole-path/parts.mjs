// What each stage of the path costs alone, each as fast as it can: reception, processing, delivery.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuOf, openFixture, openQueue, startService } from '../delivery/fixture.mjs';
import { deliverAll } from '../delivery/throughput.mjs';
import { runMeasurement } from '../support/child.mjs';
import { makeSource } from './measure.mjs';

const GENERATOR = join(new URL('.', import.meta.url).pathname, '../ingest/generator.mjs');
const RECEIVING_MS = 1500;
/** Those before the last are not reported: what runs often is compiled. */
const ROUNDS = 4;

/**
 * Microseconds of CPU of an event in each stage, of the service and of PostgreSQL, with a database, a Redis and
 * processes of their own: one that takes requests of `batchSize` events, another that processes what waits then, and
 * delivers as many events to one webhook.
 */
export async function measureParts({ redis, batchSize, connections }) {
  const fixture = await openFixture({ redis });
  const services = [];
  const queues = [];
  try {
    const writeKey = await makeSource(fixture.client);
    const intake = await startService(fixture, { CDP_ROLES: 'events' });
    services.push(intake);
    const worker = await startService(fixture, { CDP_ROLES: 'worker' });
    services.push(worker);
    const events = await openQueue(fixture, 'events');
    const deliveries = await openQueue(fixture, 'deliveries');
    queues.push(events, deliveries);
    let parts;
    for (let round = 0; round < ROUNDS; round += 1) {
      await events.pause();
      const { reception, count } = await receive(fixture, intake, { writeKey, batchSize, connections });
      const processing = await processAll(fixture, worker, events, count);
      const delivery = await deliver(fixture, worker, deliveries, { round, count });
      parts = { reception, processing, delivery };
    }
    return parts;
  } finally {
    for (const queue of queues) await queue.close();
    for (const service of services) await service.stop();
    await fixture.close();
  }
}

async function receive(fixture, intake, options) {
  let cpu;
  const { eventsPerSecond } = await runMeasurement(
    GENERATOR,
    {
      ...options,
      port: Number(new URL(intake.url).port),
      run: randomBytes(6).toString('hex'),
      warmupMs: 0,
      durationMs: RECEIVING_MS,
    },
    ({ measuring }) => {
      if (measuring) cpu = cpuOf(fixture, intake);
    },
  );
  const count = Math.round((eventsPerSecond * RECEIVING_MS) / 1000);
  return { reception: costOf(cpu(count)), count };
}

async function processAll(fixture, worker, queue, count) {
  const cpu = cpuOf(fixture, worker);
  await queue.resume();
  for (;;) {
    const { rows } = await fixture.client.query('select exists (select from inbox) as busy');
    if (!rows[0].busy) return costOf(cpu(count));
    await delay(100);
  }
}

async function deliver(fixture, worker, queue, { round, count }) {
  const batch = { name: `part ${round}`, path: `/ok/${round}`, total: count };
  const { destinationId, cpu } = await deliverAll(batch, fixture, worker, queue);
  // The events of the next round are not to be delivered.
  await fixture.client.query('update destination set enabled = false where id = $1', [destinationId]);
  return costOf(cpu);
}

const costOf = ({ worker, postgres }) => worker + postgres;
