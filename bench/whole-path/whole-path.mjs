// npm run bench -- whole-path: from the request of an SDK to the signed webhook at its receiver, with everything on
// this machine: load generator, service (one process, all roles), PostgreSQL, queue, receiver.
//    --rates 500,2000,3000,4000,5000   events offered per second, one after the other
//    --sizes 1,20,20,20,20             events per request, for each rate
//    --seconds 10           length of each measurement
//    --warmup 3             seconds before it
//    --connections 16       keep-alive connections of the load generator
//    --destinations 1       webhook destinations; each gets every event
//    --queue redis          or postgres
//    --calm                 before, a calm while after which PostgreSQL looks at its tables, as it does by itself
//    --bare                 beside each, what a bare script takes that stores, posts and marks
//    --parts                beside each, what reception, processing and delivery take, each alone and at full speed
//    --profile              write a CPU profile of the service to bench/results
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addDestination, openFixture, SECRET, startService } from '../delivery/fixture.mjs';
import { figure } from '../support/figures.mjs';
import { makeSource, offer } from './measure.mjs';
import { measureParts } from './parts.mjs';

const here = new URL('.', import.meta.url).pathname;
/** As in `npm start`. */
const RECEIVER_PATH = '/timed';
/** A rate counts as kept up with when so much of it arrives while it is offered. */
const KEPT_UP = 0.98;
const CALM_RATE = 20;
const CALM_MS = 10_000;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      rates: { type: 'string', default: '500,2000,3000,4000,5000' },
      sizes: { type: 'string', default: '1,20,20,20,20' },
      seconds: { type: 'string', default: '10' },
      warmup: { type: 'string', default: '3' },
      connections: { type: 'string', default: '16' },
      destinations: { type: 'string', default: '1' },
      queue: { type: 'string', default: 'redis' },
      calm: { type: 'boolean', default: false },
      bare: { type: 'boolean', default: false },
      parts: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const report = await measure(values);
  print(report);
  for (const row of report.rows) {
    const label = `${row.offered} events/s, ${row.batchSize} a request`;
    figure('whole path', `delivered of ${label}`, row.deliveredPerSecond, 'events/s', row.offered);
    if (row.bare !== undefined)
      figure('whole path', `CPU at ${label}, beside the bare script`, cpuOf(row), 'µs', cpuOf(row.bare));
    if (row.parts !== undefined)
      figure('whole path', `CPU at ${label}, beside its parts`, cpuOf(row), 'µs', sumOf(row.parts));
    if (row.p99Ms !== null) figure('whole path', `to the receiver at ${label}, p99`, row.p99Ms, 'ms');
  }
  console.log(`Written to ${save(report)}`);
  return report;
}

async function measure(values) {
  const sizes = values.sizes.split(',').map(Number);
  const parts = new Map();
  for (const batchSize of values.parts ? new Set(sizes) : []) {
    const options = { redis: values.queue === 'redis', batchSize, connections: Number(values.connections) };
    parts.set(batchSize, await measureParts(options));
  }
  const fixture = await openFixture({ redis: values.queue === 'redis' });
  let service;
  let bare;
  try {
    const writeKey = await makeSource(fixture.client);
    for (let n = 0; n < Number(values.destinations); n += 1) {
      await addDestination(fixture.client, `receiver ${n}`, `${fixture.receiverUrl}${RECEIVER_PATH}/${n}`);
    }
    const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${resultsFolder()}`] : undefined;
    service = await startService(fixture, {}, profile);
    bare = values.bare ? await startBare(fixture) : undefined;
    const options = { writeKey, connections: Number(values.connections) };
    if (values.calm) await beCalm(options, { fixture, service });
    const rows = [];
    const rates = values.rates.split(',').map(Number);
    for (const [index, rate] of rates.entries()) {
      const batchSize = sizes[index] ?? sizes.at(-1);
      const offered = {
        ...options,
        batchSize,
        warmupMs: Number(values.warmup) * 1000,
        durationMs: Number(values.seconds) * 1000,
      };
      rows.push({
        ...(await offer(rate, offered, { fixture, service })),
        bare: bare && (await offer(rate, offered, { fixture, service: bare })),
        parts: parts.get(batchSize),
      });
    }
    const keptUp = rows.filter(({ deliveredPerSecond, offered }) => deliveredPerSecond >= KEPT_UP * offered);
    return {
      at: new Date().toISOString(),
      node: process.version,
      queue: values.queue,
      destinations: Number(values.destinations),
      keptUpWith: Math.max(0, ...keptUp.map(({ offered }) => offered)),
      rows,
    };
  } finally {
    await service?.stop();
    await bare?.stop();
    await fixture.close();
  }
}

/** Few events, one by one; what PostgreSQL plans while they come it may keep for all that follows. */
async function beCalm(options, running) {
  await offer(CALM_RATE, { ...options, batchSize: 1, warmupMs: 0, durationMs: CALM_MS }, running);
  await running.fixture.client.query('analyze');
}

function print(report) {
  console.log(`\nqueue on ${report.queue}, ${report.destinations} destination(s), node ${report.node}`);
  console.table(
    report.rows.map((row) => ({
      'offered/s': row.offered,
      'events/request': row.batchSize,
      'accepted/s': Math.round(row.acceptedPerSecond),
      'delivered/s': Math.round(row.deliveredPerSecond),
      'p50 ms': row.p50Ms,
      'p99 ms': row.p99Ms,
      'max ms': row.maxMs,
      'rest ms': Math.round(row.drainMs),
      'service CPU µs': Math.round(row.serviceCpuMicroseconds),
      'PostgreSQL CPU µs': Math.round(row.postgresCpuMicroseconds),
      'peak MB': Math.round(row.peakMegabytes),
      ...(row.bare && {
        'bare: CPU µs': bareCpu(row.bare),
        'times it': (cpuOf(row) / cpuOf(row.bare)).toFixed(2),
      }),
      ...(row.parts && {
        'parts: CPU µs': Object.values(row.parts).join(' + '),
        'times them': (cpuOf(row) / sumOf(row.parts)).toFixed(2),
      }),
      statuses: JSON.stringify(row.statuses),
    })),
  );
  console.log('p50, p99, max: from sending the request to the webhook at its receiver.');
  console.log(`The highest offered rate that was kept up with: ${report.keptUpWith} events/s`);
}

/** Of the script and of PostgreSQL. */
function bareCpu({ serviceCpuMicroseconds, postgresCpuMicroseconds }) {
  return `${Math.round(serviceCpuMicroseconds)} + ${Math.round(postgresCpuMicroseconds)}`;
}

const sumOf = ({ reception, processing, delivery }) => reception + processing + delivery;

/** With PostgreSQL's. */
function cpuOf({ serviceCpuMicroseconds, postgresCpuMicroseconds }) {
  return serviceCpuMicroseconds + postgresCpuMicroseconds;
}

/** A process beside the service, which rests meanwhile. */
async function startBare({ databaseUrl, receiverUrl }) {
  const options = JSON.stringify({
    databaseUrl,
    receiverUrl: `${receiverUrl}${RECEIVER_PATH}/bare`,
    secret: SECRET,
  });
  const child = fork(join(here, 'bare.mjs'), [options]);
  const [{ port }] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function save(report) {
  const file = join(resultsFolder(), `whole-path-${report.at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  return file;
}

function resultsFolder() {
  const folder = join(here, '../results');
  mkdirSync(folder, { recursive: true });
  return folder;
}
