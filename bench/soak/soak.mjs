// npm run soak -- --minutes 10 [--seed 1] [--rate events/s] [--processes 3] [--receivers 3] [--queue redis|postgres] [--database-url …]
// Mixed traffic at half of the speed that it measures first, while processes, PostgreSQL, Redis and receivers fail at
// random. Ends with the ledger; the exit code is 1 when an event was lost, counted twice or in the wrong place.
// With --citus and the address of a coordinator on this machine: two services with a schema each, while nodes are
// killed and schemas moved in turn; and for how long each of the two accepted nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../support/postgres.mjs';
import { openCluster } from './cluster.mjs';
import { countByName, faultsOf, runFaults } from './faults.mjs';
import { balance, bytesPerEvent, untilDrained } from './ledger.mjs';
import { watchMemory } from './memory.mjs';
import { silenceSeconds, startTraffic, wrongAnswers } from './traffic.mjs';
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
    citus: { type: 'string' },
  },
});
const startedAt = Date.now();
const seed = Number(options.seed);

// Without this a signal would not run the clean-up at exit.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(2));
const cluster = options.citus === undefined ? undefined : await openCluster(options.citus);
const worlds = [];
let failed = true;
try {
  const databases = cluster?.databases ?? [await openBenchDatabase(options['database-url'])];
  for (const database of databases) {
    const world = await openWorld({
      processes: Number(options.processes),
      receivers: Number(options.receivers),
      database,
      withRedis: options.queue === 'redis',
    });
    worlds.push(world);
  }
  failed = await soak();
} finally {
  for (const world of worlds) await world.close();
}
process.exit(failed ? 1 : 0);

async function soak() {
  const runs = [];
  for (const world of worlds) runs.push(await beginRun(world));
  const until = Date.now() + Number(options.minutes) * 60_000;
  const progress = setInterval(() => runs.forEach(report), 10_000);
  const happened = await runFaults({
    seed,
    until,
    inTurn: cluster !== undefined,
    kindsWith: (random) => cluster?.faultsOf(worlds, random) ?? faultsOf(worlds[0], random),
    log,
  });
  await Promise.all(runs.map(({ traffic }) => traffic.stop()));
  clearInterval(progress);
  log('traffic stopped, waiting for the rest');
  const services = [];
  for (const run of runs) services.push(await endRun(run));
  write({
    minutes: Number(options.minutes),
    seed,
    faults: countByName(happened),
    ...(cluster === undefined ? services[0] : { services, silences: silencesOf(happened, runs) }),
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
  });
  return services.some(
    ({ ledger, drainSeconds }) =>
      ledger.wrong > 0 || ledger.wrongAnswers > 0 || ledger.refused > 0 || drainSeconds === 'did not end',
  );
}

/** Starts the traffic of a service, at half of its full speed unless a rate is given. */
async function beginRun(world) {
  const calibration =
    options.rate === undefined ? await calibrate(world) : { accepted: [], eventsPerSecond: undefined };
  const eventsPerSecond = Number(options.rate ?? Math.max(20, Math.floor(calibration.eventsPerSecond / 2)));
  log(
    `${world.name}: ${options.minutes} min, ${eventsPerSecond} events/s, queue on ${world.queue}, seed ${seed}`,
  );
  const memory = watchMemory(world.services, world.memoryFolder);
  const traffic = startTraffic({ urls: world.urls, writeKey: world.writeKey, eventsPerSecond });
  return { world, calibration, eventsPerSecond, memory, traffic };
}

async function calibrate(world) {
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

/** Waits for what is left of a service; answers what became of it all. */
async function endRun({ world, calibration, eventsPerSecond, memory, traffic }) {
  const drainSeconds = await untilDrained(world.database);
  const memoryReport = memory();
  const accepted = [...calibration.accepted, ...traffic.accepted];
  const { ledger, lost } = await balance({ accepted, receivers: world.receivers, database: world.database });
  return {
    service: world.name,
    eventsPerSecond,
    fullSpeed: calibration.eventsPerSecond,
    queue: world.queue,
    ledger: { ...ledger, refused: traffic.refused, wrongAnswers: wrongAnswers(traffic) },
    answers: traffic.answers,
    failedRequestsThatWereSentAgain: traffic.failedRequests,
    bytesPerEvent: cluster === undefined ? await bytesPerEvent(world.database, accepted.length) : undefined,
    drainSeconds: drainSeconds ?? 'did not end',
    memory: memoryReport,
    lost,
  };
}

/** Of each fault: the seconds until what it broke was there again, and those in which a service accepted nothing. */
function silencesOf(happened, runs) {
  return happened.map(({ name, from, to }, index) => ({
    fault: name,
    seconds: Math.round((to - from) / 1000),
    ...Object.fromEntries(
      runs.map(({ world, traffic }) => [
        `${world.name} silent`,
        silenceSeconds(traffic, from, happened[index + 1]?.from ?? Date.now()),
      ]),
    ),
  }));
}

function report({ world, traffic }) {
  const delivered = world.receivers.reduce((sum, { answered }) => sum + answered.size, 0);
  log(
    `${world.name}: accepted ${traffic.accepted.length}, delivered ${delivered}, requests that failed ${traffic.failedRequests}`,
  );
}

function write(result) {
  for (const { ledger, memory } of result.services ?? [result]) {
    console.table(ledger);
    console.table(memory.steady);
  }
  if (result.silences !== undefined) console.table(result.silences);
  console.log(JSON.stringify(result, undefined, 2));
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `soak-${new Date(startedAt).toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(`Written to ${file}`);
}

function log(text) {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
