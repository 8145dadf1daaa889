// npm run bench -- workers: many worker processes on one PostgreSQL and one Redis. What they do at rest, what they take
// up, and how fast an event gets through them.
//    --count 100         worker processes; each takes some 130 MB, and seconds of a core to start
//    --rate 100          single events per second through one process that takes them in
//    --seconds 15        length of each measurement
//    --warmup 10         seconds of events before it
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addDestination, openFixture, startService } from './delivery/fixture.mjs';
import { figure } from './support/figures.mjs';
import { cpuSeconds, residentMegabytes, treeCpuSeconds } from './support/process-stats.mjs';
import { makeSource, offer } from './whole-path/measure.mjs';

/** Connections of a process at most, "Connections" in docs/operations.md. */
const CONNECTIONS_EACH = 20;
const STARTED_AT_ONCE = 4;
/** What is done at boot, presence of new workers among it, is over after this time. */
const SETTLE_MS = 60_000;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '100' },
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '15' },
      warmup: { type: 'string', default: '10' },
    },
  });
  const count = Number(values.count);
  const settings = [`max_connections=${(count + 1) * CONNECTIONS_EACH + 10}`];
  const fixture = await openFixture({ redis: true, settings });
  const services = [];
  try {
    await fixture.client.query('create extension pg_stat_statements');
    const writeKey = await makeSource(fixture.client);
    await addDestination(fixture.client, 'receiver', `${fixture.receiverUrl}/timed/0`);
    const intake = await startService(fixture, { CDP_ROLES: 'management,events' });
    services.push(intake);
    for (let n = 0; n < count; n += STARTED_AT_ONCE) {
      const some = Array.from({ length: Math.min(STARTED_AT_ONCE, count - n) }, () =>
        startService(fixture, { CDP_ROLES: 'worker' }),
      );
      services.push(...(await Promise.all(some)));
      console.log(`${services.length - 1} of ${count} have started`);
    }
    await delay(SETTLE_MS);
    await atRest(Number(values.seconds), { fixture, services, count });
    const row = await offer(
      Number(values.rate),
      {
        writeKey,
        batchSize: 1,
        connections: 16,
        warmupMs: Number(values.warmup) * 1000,
        durationMs: Number(values.seconds) * 1000,
      },
      { fixture, service: intake },
    );
    const label = `${count} workers, ${values.rate} events/s`;
    figure('workers', `${label}: delivered`, row.deliveredPerSecond, 'events/s', row.offered);
    figure('workers', `${label}: to the receiver, p50`, row.p50Ms, 'ms');
    figure('workers', `${label}: to the receiver, p99`, row.p99Ms, 'ms');
    figure('workers', `${label}: CPU of PostgreSQL`, row.postgresCpuMicroseconds, 'µs an event');
    figure('workers', `${label}: connections`, await connectionsIn(fixture), '');
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await fixture.close();
  }
}

async function atRest(seconds, { fixture, services, count }) {
  const now = async () => ({
    statements: await statementsIn(fixture),
    postgres: treeCpuSeconds(fixture.postgresPid),
    redis: cpuSeconds(fixture.redisPid),
    node: services.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
  });
  await fixture.client.query('select pg_stat_statements_reset()');
  const from = await now();
  await delay(seconds * 1000);
  const to = await now();
  const aSecond = (name) => (to[name] - from[name]) / seconds;
  figure('workers', `${count} at rest: statements of each`, aSecond('statements') / count, '/s');
  for (const name of ['postgres', 'redis', 'node']) {
    figure('workers', `${count} at rest: CPU of ${name}`, aSecond(name) * 100, '% of a core');
  }
  console.table(await mostOften(fixture, seconds * count));
  figure('workers', `${count} at rest: connections`, await connectionsIn(fixture), '');
  const megabytes = services.reduce((sum, { pid }) => sum + residentMegabytes(pid).now, 0);
  figure(
    'workers',
    `${count} at rest: memory of each, shared pages counted`,
    megabytes / services.length,
    'MB',
  );
}

async function statementsIn({ client }) {
  const { rows } = await client.query(
    `select sum(calls)::float8 as calls from pg_stat_statements where query !~ 'pg_stat_'`,
  );
  return rows[0].calls;
}

/** The statements that are made most often. */
async function mostOften({ client }, by) {
  const { rows } = await client.query(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 100) as statement, round(calls::numeric / $1, 2)::float8 as "a second"
     from pg_stat_statements where query !~ 'pg_stat_' order by calls desc limit 12`,
    [by],
  );
  return rows;
}

async function connectionsIn({ client }) {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where application_name like 'cdp-service%'`,
  );
  return rows[0].count;
}
