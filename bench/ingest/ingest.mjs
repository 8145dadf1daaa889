// npm run bench -- ingest: how fast the Events API takes events in, beside what PostgreSQL takes from a bare script.
//    --sizes 1,20,100       events per request
//    --seconds 10           length of each measurement
//    --warmup 3             seconds before it
//    --connections 64       keep-alive connections of the load generator; 32 leave processors idle with single events
//    --database-url <url>   a PostgreSQL to use (a database of its own is made in it); default: the embedded one
//    --roles events         CDP_ROLES of the service; events measures ingestion alone
//    --fill 10000000        events put into the tables beforehand; measured before and after, some 2 minutes for 10 million
//    --overload             also: 400 connections with batches of 500, for the peak of memory
//    --plan                 also: the same from a source with a tracking plan of 200 rules, in turn with the other
//    --plan-rounds 4        how often in turn; many short ones tell more on a machine that gets slower and faster
//    --only-max             leave out the runs at half the rate
//    --node-args '…'        further arguments of Node for the service, to compare settings
//    --profile              write a CPU profile of the service to bench/results
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMeasurement } from '../support/child.mjs';
import { openBenchDatabase } from '../support/postgres.mjs';
import { cpuSeconds, parentOf, residentMegabytes, treeCpuSeconds } from '../support/process-stats.mjs';
import { startService } from '../support/service.mjs';
import { fillTables } from './fill-tables.mjs';
import { makePlan } from './plan.mjs';
import { figure } from '../support/figures.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const GENERATOR = join(here, 'generator.mjs');
const BARE_INSERT = join(here, 'bare-insert.mjs');

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '1,20,100' },
      seconds: { type: 'string', default: '10' },
      warmup: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      'database-url': { type: 'string' },
      roles: { type: 'string', default: 'events' },
      fill: { type: 'string', default: '0' },
      overload: { type: 'boolean', default: false },
      plan: { type: 'boolean', default: false },
      'plan-rounds': { type: 'string', default: '4' },
      'only-max': { type: 'boolean', default: false },
      'node-args': { type: 'string', default: '' },
      profile: { type: 'boolean', default: false },
    },
  });
  const database = await openBenchDatabase(values['database-url']);
  try {
    const report = await measure(database, values);
    print(report);
    for (const row of [...report.rows, ...(report.filled?.rows ?? [])]) {
      figure('ingest', row.label, row.eventsPerSecond, 'events/s', report.bareInsert.eventsPerSecond);
      figure('ingest', `${row.label}, p99`, row.p99Ms, 'ms');
    }
    for (const { batchSize, ofWithout, cpuOfWithout } of report.plans ?? []) {
      const cpu = `${cpuOfWithout.toFixed(3)} of the service's CPU an event`;
      console.log(`With a plan, batches of ${batchSize}: ${ofWithout.toFixed(3)} of the events, ${cpu}`);
    }
    console.log(`\nWritten to ${save(report)}`);
  } finally {
    await database.close();
  }
}

async function measure(database, values) {
  const sizes = values.sizes.split(',').map(Number);
  const timing = { warmupMs: Number(values.warmup) * 1000, durationMs: Number(values.seconds) * 1000 };
  const connections = Number(values.connections);
  const report = {
    at: new Date().toISOString(),
    node: process.version,
    database: database.kind,
    roles: values.roles,
  };
  const writeKey = await makeSource(database);
  const withPlan = values.plan ? await makeSource(database, await makePlan(database)) : undefined;
  const service = await startService({
    databaseUrl: database.url,
    env: { CDP_ROLES: values.roles },
    nodeArgs: [
      ...values['node-args'].split(' ').filter((arg) => arg !== ''),
      ...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${resultsFolder()}`] : []),
    ],
  });
  try {
    const postgres = parentOf((await database.pids())[0]);
    const bare = () => bareInsert(database, postgres, timing);
    const http = (options) =>
      load({ ...timing, port: service.port, writeKey, connections, ...options }, service.pid, postgres);
    const before = await bare();
    const measureSizes = async (stored = '') => {
      const rows = [];
      for (const batchSize of sizes) {
        const max = await http({ label: `batches of ${batchSize}${stored}`, batchSize });
        rows.push(max);
        if (values['only-max']) continue;
        await recycleWal(database);
        const label = `batches of ${batchSize}${stored}, half the rate`;
        rows.push(await http({ label, batchSize, requestsPerSecond: max.requestsPerSecond / 2 }));
      }
      return rows;
    };
    report.rows = await measureSizes();
    if (withPlan !== undefined)
      report.plans = await measurePlans(withPlan, sizes, Number(values['plan-rounds']), http);
    const after = await bare();
    report.bareInsert = meanOf(before, after);
    if (Number(values.fill) > 0) {
      await fillTables(database, Number(values.fill));
      const bareFilled = await bare();
      const rows = await measureSizes(`, ${values.fill} events stored`);
      report.filled = {
        events: Number(values.fill),
        bareInsert: bareFilled,
        rows: rows.map((row, index) => ({
          ...row,
          ofEmpty: row.eventsPerSecond / report.rows[index].eventsPerSecond,
        })),
      };
    }
    if (values.overload) {
      report.rows.push(await http({ label: 'overload: 400 connections', batchSize: 500, connections: 400 }));
    }
    report.peakRssMegabytes = residentMegabytes(service.pid).peak;
    return report;
  } finally {
    await service.stop();
  }
}

/** With a plan and without, in turn, first the one and then the other: the machine gets slower and faster meanwhile. */
async function measurePlans(withPlan, sizes, rounds, http) {
  const plans = [];
  for (const batchSize of sizes) {
    const [without, judged] = [[], []];
    const measureWithout = async () =>
      without.push(await http({ label: `batches of ${batchSize}, no plan`, batchSize }));
    const measureWith = async () =>
      judged.push(await http({ label: `batches of ${batchSize}, a plan`, batchSize, writeKey: withPlan }));
    for (let round = 0; round < rounds; round += 1) {
      const inOrder = [measureWithout, measureWith];
      for (const measureOne of round % 2 === 0 ? inOrder : inOrder.toReversed()) await measureOne();
    }
    const ratio = (name) => sum(judged.map((one) => one[name])) / sum(without.map((one) => one[name]));
    plans.push({
      batchSize,
      without,
      judged,
      ofWithout: ratio('eventsPerSecond'),
      cpuOfWithout: ratio('serviceCpuSecondsPerMillion'),
    });
  }
  return plans;
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

async function bareInsert(database, postgresPid, timing) {
  const options = {
    ...timing,
    databaseUrl: database.url,
    connections: 4,
    rowsPerStatement: 500,
    run: runId(),
  };
  const show = progress('bare insert');
  let postgresFrom = 0;
  const result = await runMeasurement(BARE_INSERT, options, (line) => {
    if (line.measuring) postgresFrom = treeCpuSeconds(postgresPid);
    show(line);
  });
  endProgress();
  return {
    eventsPerSecond: result.eventsPerSecond,
    scriptCpuSecondsPerMillion: (result.cpuSeconds / result.events) * 1e6,
    postgresCpuSecondsPerMillion: ((treeCpuSeconds(postgresPid) - postgresFrom) / result.events) * 1e6,
  };
}

async function load({ label, ...options }, servicePid, postgresPid) {
  let serviceFrom = 0;
  let postgresFrom = 0;
  const show = progress(label);
  const result = await runMeasurement(GENERATOR, { ...options, run: runId() }, (line) => {
    if (line.measuring) {
      serviceFrom = cpuSeconds(servicePid);
      postgresFrom = treeCpuSeconds(postgresPid);
    }
    show(line);
  });
  endProgress();
  const perMillion = (seconds) => (seconds / result.events) * 1e6;
  return {
    label,
    ...result,
    batchSize: options.batchSize,
    serviceCpuSecondsPerMillion: perMillion(cpuSeconds(servicePid) - serviceFrom),
    postgresCpuSecondsPerMillion: perMillion(treeCpuSeconds(postgresPid) - postgresFrom),
    generatorCpuSecondsPerMillion: perMillion(result.generatorCpuSeconds),
    rssMegabytes: residentMegabytes(servicePid).now,
    peakRssMegabytes: residentMegabytes(servicePid).peak,
  };
}

/**
 * A server that has run for a while writes its log into files that the last checkpoint has left over. A new one makes and
 * syncs a file of 16 MB each time, while commits wait: half a second apart here, and so the 99th percentile.
 */
async function recycleWal(database) {
  await database.query('checkpoint');
}

/** The mean of two measurements, member by member: the machine may have got slower or faster in between. */
function meanOf(first, second) {
  return Object.fromEntries(Object.keys(first).map((name) => [name, (first[name] + second[name]) / 2]));
}

async function makeSource(database, planId = null) {
  const writeKey = randomBytes(32).toString('hex');
  await database.query(
    `insert into source (id, name, write_key_hash, write_key_sealed, tracking_plan_id)
     values ($1, 'benchmark', $2, '', $3)`,
    [randomUUID(), createHash('sha256').update(writeKey).digest(), planId],
  );
  return writeKey;
}

function runId() {
  return randomBytes(6).toString('hex');
}

function progress(label) {
  return ({ eventsPerSecond }) => {
    if (eventsPerSecond === undefined) return;
    const line = `${label}: ${eventsPerSecond.toLocaleString('en')} events/s`;
    process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

function endProgress() {
  if (process.stdout.isTTY) process.stdout.write('\n');
}

function print(report) {
  const { bareInsert } = report;
  const bare = bareInsert.eventsPerSecond;
  const format = (value, digits = 0) => Number(value.toFixed(digits)).toLocaleString('en');
  const rows = [...report.rows, ...(report.filled?.rows ?? [])];
  console.log(`\n${report.database}, ${report.at}, node ${report.node}`);
  console.table(
    Object.fromEntries([
      [
        'bare insert',
        {
          'events/s': format(bare),
          ratio: 1,
          'PostgreSQL CPU s/M': format(bareInsert.postgresCpuSecondsPerMillion, 1),
          'generator CPU s/M': format(bareInsert.scriptCpuSecondsPerMillion, 1),
        },
      ],
      ...rows.map((row) => [
        row.label,
        {
          'events/s': format(row.eventsPerSecond),
          ratio: Number((row.eventsPerSecond / bare).toFixed(2)),
          ...(row.ofEmpty === undefined ? {} : { 'of empty': Number(row.ofEmpty.toFixed(2)) }),
          'p50 ms': format(row.p50Ms, 1),
          'p99 ms': format(row.p99Ms, 1),
          'service CPU s/M': format(row.serviceCpuSecondsPerMillion, 1),
          'PostgreSQL CPU s/M': format(row.postgresCpuSecondsPerMillion, 1),
          'generator CPU s/M': format(row.generatorCpuSecondsPerMillion, 1),
          'peak RSS MB': format(row.peakRssMegabytes),
          statuses: Object.entries(row.statuses)
            .map(([status, count]) => `${status}: ${count}`)
            .join(' '),
        },
      ]),
    ]),
  );
}

function save(report) {
  const file = join(resultsFolder(), `ingest-${report.at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  return file;
}

function resultsFolder() {
  const folder = join(here, '../results');
  mkdirSync(folder, { recursive: true });
  return folder;
}
