// npm run bench -- single-event: what one event costs that comes alone, and where it waits, from the request to the
// recorded delivery. Everything is seen from outside: counters of the system, PostgreSQL and Redis, times of jobs.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { addDestination, openFixture, openQueue, startService } from '../delivery/fixture.mjs';
import { runMeasurement } from '../support/child.mjs';
import { figure } from '../support/figures.mjs';
import { cpuSeconds, treeCpuSeconds } from '../support/process-stats.mjs';
import { buildService } from '../support/service.mjs';
import { makeSource, quantile, receivedBy, untilDelivered } from '../whole-path/measure.mjs';

const WARM_MS = 8_000;
const GENERATOR = new URL('../ingest/generator.mjs', import.meta.url).pathname;

const HELP = `npm run bench -- single-event [options]
  --alone 50          events one after the other, each when the one before is recorded: counts that mean something
                      on a busy machine, too
  --rates 20,200      events per second, each in a request of its own
  --seconds 8         length of each measurement
  --warmup 3          seconds before it
  --idle 10           seconds at rest, after all rates`;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      alone: { type: 'string', default: '50' },
      rates: { type: 'string', default: '20,200' },
      seconds: { type: 'string', default: '8' },
      warmup: { type: 'string', default: '3' },
      idle: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  buildService();
  const fixture = await openFixture({ redis: true });
  let service;
  try {
    await fixture.client.query('create extension if not exists pg_stat_statements');
    const writeKey = await makeSource(fixture.client);
    await addDestination(fixture.client, 'receiver', `${fixture.receiverUrl}/timed/0`);
    service = await startService(fixture);
    const bench = await openBench(fixture, service, writeKey, values);
    const columns = { 'one by one': await oneByOne(Number(values.alone), bench) };
    for (const rate of values.rates.split(',').filter(Boolean).map(Number)) {
      columns[`${rate} events/s`] = await offer(rate, bench);
    }
    const idle = await atRest(Number(values.idle), bench);
    await bench.close();
    print(columns, idle);
  } finally {
    await service?.stop();
    await fixture.close();
  }
}

async function openBench(fixture, service, writeKey, values) {
  const queues = await Promise.all(['events', 'deliveries'].map((name) => openQueue(fixture, name)));
  const redis = new Redis(fixture.redisUrl);
  return {
    fixture,
    service,
    queues,
    redis,
    options: {
      port: Number(new URL(service.url).port),
      writeKey,
      batchSize: 1,
      connections: 16,
      stamped: true,
      warmupMs: Number(values.warmup) * 1000,
      durationMs: Number(values.seconds) * 1000,
    },
    close: () => Promise.all([redis.quit(), ...queues.map((queue) => queue.close())]),
  };
}

/** What one event costs that meets no other. */
async function oneByOne(events, bench) {
  const { fixture, service, options } = bench;
  const send = async (n) => {
    const sentAtMs = Date.now();
    await fetch(`${service.url}/v1/track`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${options.writeKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ userId: `alone-${n % 10}`, event: 'Alone', properties: { sentAtMs } }),
    });
    const answeredMs = Date.now() - sentAtMs;
    await untilDelivered(fixture.client);
    return answeredMs;
  };
  // Until no worker is taken for new, and all statements are prepared.
  for (const until = Date.now() + WARM_MS; Date.now() < until;) await send(until);
  await fetch(`${fixture.receiverUrl}/control/reset`);
  const before = await count(bench);
  const answers = [];
  for (let n = 0; n < events; n += 1) answers.push(await send(n));
  const cost = costs(before, await count(bench), events);
  const { latencies } = await receivedBy(fixture);
  figure('single event', 'statements of one that meets no other', cost.statements, '');
  figure('single event', 'writes of Node.js', cost.writes, '');
  return column(
    cost,
    await stagesOf(bench),
    answers.sort((a, b) => a - b),
    latencies,
  );
}

/** What one event costs at a rate, and how long each stage of its way takes in the middle. */
async function offer(rate, bench) {
  const { fixture, options } = bench;
  let before;
  const result = await runMeasurement(
    GENERATOR,
    { ...options, run: randomBytes(6).toString('hex'), requestsPerSecond: rate },
    ({ measuring }) => {
      if (!measuring) return;
      before = count(bench);
      void fetch(`${fixture.receiverUrl}/control/reset`);
    },
  );
  const after = await count(bench);
  const { distinct, latencies } = await receivedBy(fixture);
  await untilDelivered(fixture.client);
  const cost = costs(await before, after, distinct);
  const stages = await stagesOf(bench);
  const whole = { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
  figure('single event', `to the receiver at ${rate}/s, p50`, whole.p50, 'ms');
  figure('single event', `to the receiver at ${rate}/s, p99`, whole.p99, 'ms');
  figure('single event', `CPU of Node.js and PostgreSQL at ${rate}/s`, cost.nodeCpu + cost.postgresCpu, 'µs');
  return column(cost, stages, [result.p50Ms], latencies);
}

/** @param answers, latencies sorted */
function column(cost, stages, answers, latencies) {
  return {
    'CPU of Node.js, µs': cost.nodeCpu,
    'CPU of PostgreSQL, µs': cost.postgresCpu,
    'CPU of Redis, µs': cost.redisCpu,
    'statements of PostgreSQL': cost.statements,
    'WAL, bytes': cost.walBytes,
    'WAL, fsyncs': cost.walSyncs,
    'commands of Redis': cost.redisCommands,
    '… of these calls (scripts, blocking reads)': cost.redisCalls,
    'writes of Node.js': cost.writes,
    ...stages,
    'to the answer, p50 ms': quantile(answers, 0.5),
    'to the receiver, p50 ms': quantile(latencies, 0.5),
    'to the receiver, p99 ms': quantile(latencies, 0.99),
  };
}

/** What the service does when nobody asks anything of it, a second. */
async function atRest(seconds, bench) {
  await delay(2_000);
  const before = await count(bench);
  await delay(seconds * 1000);
  const { nodeCpu, postgresCpu, statements, redisCommands } = costs(before, await count(bench), seconds);
  figure('at rest', 'statements', statements, '/s');
  figure('at rest', 'CPU of Node.js and PostgreSQL', (nodeCpu + postgresCpu) / 1e4, '% of a core');
  return {
    'statements/s': statements,
    'commands of Redis/s': redisCommands,
    'CPU of Node.js, % of a core': nodeCpu / 1e4,
    'CPU of PostgreSQL, % of a core': postgresCpu / 1e4,
  };
}

/** All counters as they are now. */
async function count({ fixture, service, redis }) {
  const cpu = {
    nodeCpu: cpuSeconds(service.pid) * 1e6,
    postgresCpu: treeCpuSeconds(fixture.postgresPid) * 1e6,
    redisCpu: cpuSeconds(fixture.redisPid) * 1e6,
    writes: Number(/syscw: (\d+)/.exec(readFileSync(`/proc/${service.pid}/io`, 'utf8'))[1]),
  };
  const commands = commandsIn(await redis.info('commandstats'));
  const { rows } = await fixture.client.query(`
    select (select sum(calls)::float8 from pg_stat_statements
        where query !~ 'pg_stat_|from inbox\\) or exists') as statements,
      (select wal_bytes::float8 from pg_stat_wal) as "walBytes",
      (select wal_sync::float8 from pg_stat_wal) as "walSyncs"`);
  return { ...cpu, ...commands, ...rows[0] };
}

/** Redis counts what scripts call like what clients send. */
function commandsIn(info) {
  const calls = new Map(
    [...info.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)].map(([, name, n]) => [name, Number(n)]),
  );
  const sum = (names) => names.reduce((total, name) => total + (calls.get(name) ?? 0), 0);
  const others = ['info', 'ping', 'client|setname', 'client|setinfo'];
  return {
    redisCommands: sum([...calls.keys()]) - sum(others),
    redisCalls: sum(['evalsha', 'eval', 'bzpopmin']),
  };
}

function costs(before, after, by) {
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / by]));
}

/** Medians over the last jobs. The job of an event is the one during which the job of its delivery was added. */
async function stagesOf({ fixture, queues }) {
  const [events, deliveries] = await Promise.all(queues.map((queue) => queue.getJobs(['completed'], 0, 999)));
  const { rows } = await fixture.client.query(
    `select d.id, (extract(epoch from a.started_at) * 1000)::float8 as started, a.total_ms as total,
       (e.payload -> 'properties' ->> 'sentAtMs')::float8 as sent
     from delivery d
     join delivery_attempt a on a.delivery_id = d.id
     join event e on e.subject = d.subject and e."timestamp" = d.event_timestamp and e.id = d.event_id
     where d.id = any($1::uuid[])`,
    [deliveries.flatMap(({ data }) => data.deliveryIds)],
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const waits = deliveries.flatMap((job) => {
    const first = events
      .filter(({ processedOn, finishedOn }) => processedOn <= job.timestamp && job.timestamp <= finishedOn)
      .sort((a, b) => b.processedOn - a.processedOn)[0];
    return job.data.deliveryIds.flatMap((id) => {
      const row = rowOf.get(id);
      if (row === undefined || first === undefined) return [];
      return {
        'request to job `events`, ms': first.timestamp - row.sent,
        'its pick-up, ms': first.processedOn - first.timestamp,
        'transaction, ms': job.timestamp - first.processedOn,
        'pick-up of job `deliveries`, ms': job.processedOn - job.timestamp,
        'claim, ms': row.started - job.processedOn,
        'post, ms': row.total,
        'record, ms': job.finishedOn - row.started - row.total,
      };
    });
  });
  const names = Object.keys(waits[0] ?? {});
  const values = (name) => waits.map((wait) => wait[name]).sort((a, b) => a - b);
  return Object.fromEntries(names.map((name) => [name, quantile(values(name), 0.5)]));
}

function print(columns, idle) {
  const rounded = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value?.toFixed(1)));
  const labels = Object.keys(Object.values(columns)[0]);
  console.log('\nAn event alone; stages are medians');
  console.table(
    Object.fromEntries(
      labels.map((label) => [
        label,
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, rounded(column[label])])),
      ]),
    ),
  );
  console.log('At rest');
  console.table(Object.fromEntries(Object.entries(idle).map(([name, value]) => [name, rounded(value)])));
}
