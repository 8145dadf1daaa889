// How much memory a worker takes for one object, and how fast it is written, by how many events the object has.
//   npm run bench -- export [--events 10000,100000] [--formats ndjson,parquet]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { figure } from '../support/figures.mjs';
import { residentMegabytes } from '../support/process-stats.mjs';

const SETTLE_MS = 3_000;

const { addDeliveries, addExport, openFixture, startService, untilAllDelivered } =
  await import('../delivery/fixture.mjs');

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '10000,100000' },
      formats: { type: 'string', default: 'ndjson,parquet' },
    },
  });
  for (const format of values.formats.split(',')) {
    for (const events of values.events.split(',').map(Number)) await measure(format, events);
  }
}

/** One object by a fresh service, so that nothing earlier has grown its memory. */
async function measure(format, events) {
  const fixture = await openFixture({ redis: false });
  const bucket = fork(fileURLToPath(new URL('bucket.mjs', import.meta.url)));
  const [config] = await once(bucket, 'message');
  // The service makes the partitions when it boots.
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  try {
    // The SDK is loaded by the first export: it is no part of what an object takes.
    await send(fixture, { ...config, format, flushSeconds: 1 }, 1);
    await delay(SETTLE_MS);
    writeFileSync(`/proc/${service.pid}/clear_refs`, '5'); // The peak counts from here.
    const before = residentMegabytes(service.pid).now;
    const seconds = await send(
      fixture,
      { ...config, format, maxEvents: events, maxBytes: 2 ** 30, flushSeconds: 3_600 },
      events,
    );
    const { peak } = residentMegabytes(service.pid);
    const part = `export: one ${format} object`;
    const name = `${events.toLocaleString('en')} events`;
    console.log(
      `${part}, ${name}: ${before.toFixed(0)} MB -> ${peak.toFixed(0)} MB, ${seconds.toFixed(1)} s`,
    );
    figure(part, `${name}: memory at its peak`, peak - before, 'MB more');
    figure(part, `${name}: from closing to delivered`, events / seconds, 'events/s');
  } finally {
    await service.stop();
    bucket.kill();
    await fixture.close();
  }
}

/** Answers how long it took once all was there, in seconds. */
async function send({ client }, config, events) {
  const id = await addExport(client, config);
  await addDeliveries(client, id, events, 0);
  await client.query('analyze event, delivery');
  const start = performance.now();
  await client.query('update destination set enabled = true, version = version + 1 where id = $1', [id]);
  await untilAllDelivered(client, [id], 240_000);
  return (performance.now() - start) / 1_000;
}
