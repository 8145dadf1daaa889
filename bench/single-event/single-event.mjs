// npm run bench -- single-event: what one event costs that comes alone, and where it waits, from the request to the
// recorded delivery. Everything is seen from outside: counters of the system, PostgreSQL and Redis, times of jobs.
//    --alone 50          events one after the other, each when the one before is recorded: counts that mean something
//                        on a busy machine, too
//    --rates 20,200      events per second, each in a request of its own
//    --seconds 8         length of each measurement
//    --warmup 3          seconds before it
//    --idle 10           seconds at rest, after all rates
//    --statements        which statements an event makes, how many, and how long they run
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { addDestination, openFixture, startService } from '../delivery/fixture.mjs';
import { runMeasurement } from '../support/child.mjs';
import { figure } from '../support/figures.mjs';
import { cpuSeconds, treeCpuSeconds } from '../support/process-stats.mjs';
import { makeSource, quantile, receivedBy, untilDelivered } from '../whole-path/measure.mjs';

const WARM_MS = 8_000;
const GENERATOR = new URL('../ingest/generator.mjs', import.meta.url).pathname;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      alone: { type: 'string', default: '50' },
      rates: { type: 'string', default: '20,200' },
      seconds: { type: 'string', default: '8' },
      warmup: { type: 'string', default: '3' },
      idle: { type: 'string', default: '10' },
      statements: { type: 'boolean', default: false },
    },
  });
  const fixture = await openFixture({ redis: true });
  let service;
  try {
    await fixture.client.query('create extension if not exists pg_stat_statements');
    await trackPlanning(fixture.client);
    const writeKey = await makeSource(fixture.client);
    await addDestination(fixture.client, 'receiver', `${fixture.receiverUrl}/timed/0`);
    service = await startService(fixture);
    const bench = await openBench(fixture, service, writeKey, values);
    const columns = { 'one by one': await oneByOne(Number(values.alone), bench) };
    if (values.statements) console.table(await statements(fixture, Number(values.alone)));
    for (const rate of values.rates.split(',').filter(Boolean).map(Number)) {
      await fixture.client.query('select pg_stat_statements_reset()');
      columns[`${rate} events/s`] = await offer(rate, bench);
      if (values.statements) console.table(await statements(fixture, await storedEvents(fixture)));
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
  const redis = new Redis(fixture.redisUrl);
  return {
    fixture,
    service,
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
    close: () => redis.quit(),
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
  await fixture.client.query('select pg_stat_statements_reset()');
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

/** For the connections that begin from now on. */
async function trackPlanning(client) {
  const { rows } = await client.query('select quote_ident(current_database()) as name');
  await client.query(`alter database ${rows[0].name} set pg_stat_statements.track_planning = on`);
}

/** The statements of some events, the dearest first; those of the queue and of the bench left out. */
async function statements(fixture, events) {
  const { rows } = await fixture.client.query(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as statement, round(calls::numeric / $1, 2)::float8 as "an event",
       round(total_exec_time::numeric * 1000 / $1)::float8 as "run, µs",
       round(plans::numeric / $1, 2)::float8 as "planned", round(total_plan_time::numeric * 1000 / $1)::float8 as "plan, µs"
     from pg_stat_statements where (total_exec_time + total_plan_time) * 1000 > $1 and query !~ 'pg_stat_|from inbox\\) or exists'
     order by total_exec_time + total_plan_time desc`,
    [events],
  );
  return rows;
}

/** Since the statistics of statements were reset. */
async function storedEvents({ client }) {
  const { rows } = await client.query(
    `select sum(rows)::float8 as events from pg_stat_statements where query ~ '^\\s*insert into delivery '`,
  );
  return rows[0].events;
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

/** Medians over the last deliveries. */
async function stagesOf({ fixture }) {
  const { rows } = await fixture.client.query(
    `select ms(a.started_at) - (e.payload -> 'properties' ->> 'sentAtMs')::float8 as "request to post, ms",
       a.total_ms::float8 as "post, ms", ms(d.updated_at) - ms(a.started_at) - a.total_ms as "record, ms"
     from delivery d
     join delivery_attempt a on a.delivery_id = d.id
     join event e on e.subject = d.subject and e."timestamp" = d.event_timestamp and e.id = d.event_id
     order by d.id desc limit 1000`.replaceAll(
      /ms\(([a-z_.]+)\)/g,
      '(extract(epoch from $1) * 1000)::float8',
    ),
  );
  const names = Object.keys(rows[0] ?? {});
  const values = (name) => rows.map((row) => row[name]).sort((a, b) => a - b);
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
