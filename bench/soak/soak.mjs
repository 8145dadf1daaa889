// npm run soak -- --minutes 10 [--seed 1] [--rate events/s] [--processes 3] [--receivers 3] [--queue redis|postgres] [--database-url …]
// Mixed traffic at half of the speed that it measures first, while processes, PostgreSQL, Redis and receivers fail at
// random. Ends with the ledger; the exit code is 1 when an event was lost.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildService } from '../support/service.mjs';
import { runFaults } from './faults.mjs';
import { balance, bytesPerEvent, untilDrained } from './ledger.mjs';
import { watchMemory } from './memory.mjs';
import { startTraffic } from './traffic.mjs';
import { openWorld } from './world.mjs';

const CALIBRATION_MS = 10_000;
const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '../results');

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    rate: { type: 'string' },
    processes: { type: 'string', default: '3' },
    receivers: { type: 'string', default: '3' },
    queue: { type: 'string', default: 'redis' },
    'database-url': { type: 'string' },
  },
});
const startedAt = Date.now();
const seed = Number(options.seed);

buildService();
// Without this a signal would not run the clean-up at exit.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(2));
const world = await openWorld({
  processes: Number(options.processes),
  receivers: Number(options.receivers),
  databaseUrl: options['database-url'],
  withRedis: options.queue === 'redis',
});
let failed = true;
try {
  failed = await soak();
} finally {
  await world.close();
}
process.exit(failed ? 1 : 0);

async function soak() {
  const calibration =
    options.rate === undefined ? await calibrate() : { accepted: [], eventsPerSecond: undefined };
  const eventsPerSecond = Number(options.rate ?? Math.max(20, Math.floor(calibration.eventsPerSecond / 2)));
  log(`soak of ${options.minutes} min, ${eventsPerSecond} events/s, queue on ${world.queue}, seed ${seed}`);
  const memory = watchMemory(world.services, world.memoryFolder);
  const traffic = startTraffic({ urls: world.urls, writeKey: world.writeKey, eventsPerSecond });
  const until = Date.now() + Number(options.minutes) * 60_000;
  const progress = setInterval(() => report(traffic), 10_000);
  const faults = await runFaults({ seed, until, world, log });
  await traffic.stop();
  clearInterval(progress);
  log('traffic stopped, waiting for the rest');
  const drainSeconds = await untilDrained(world.database);
  const memoryReport = memory();
  const accepted = [...calibration.accepted, ...traffic.accepted];
  const { ledger, lost } = await balance({ accepted, receivers: world.receivers, database: world.database });
  const result = {
    minutes: Number(options.minutes),
    seed,
    eventsPerSecond,
    fullSpeed: calibration.eventsPerSecond,
    queue: world.queue,
    faults,
    ledger: { ...ledger, refused: traffic.refused },
    failedRequestsThatWereSentAgain: traffic.failedRequests,
    bytesPerEvent: await bytesPerEvent(world.database, accepted.length),
    drainSeconds: drainSeconds ?? 'did not end',
    memory: memoryReport,
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    lost,
  };
  write(result);
  return ledger.lost > 0 || drainSeconds === undefined || traffic.refused > 0;
}

async function calibrate() {
  log('measuring full speed');
  const before = Date.now();
  const traffic = startTraffic({ urls: world.urls, writeKey: world.writeKey });
  await delay(CALIBRATION_MS);
  await traffic.stop();
  await untilDrained(world.database);
  const eventsPerSecond = Math.round((traffic.accepted.length / (Date.now() - before)) * 1000);
  log(`full speed, from the request to ${world.receivers.length} webhooks: ${eventsPerSecond} events/s`);
  return { accepted: traffic.accepted, eventsPerSecond };
}

function report(traffic) {
  const delivered = world.receivers.reduce((sum, { answered }) => sum + answered.size, 0);
  log(
    `accepted ${traffic.accepted.length}, delivered ${delivered}, requests that failed ${traffic.failedRequests}`,
  );
}

function write(result) {
  console.table(result.ledger);
  console.table(result.memory.steady);
  console.log(JSON.stringify(result, undefined, 2));
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `soak-${new Date(startedAt).toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(`Written to ${file}`);
}

function log(text) {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
