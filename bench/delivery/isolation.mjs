// What healthy destinations lose when 15 % of the destinations hang, or have code that attacks the service: the same load
// with and without them.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addDeliveries,
  addDestination,
  enqueue,
  openFixture,
  openQueue,
  startService,
  untilAllDelivered,
} from './fixture.mjs';
import { figure } from '../support/figures.mjs';

const DESTINATIONS = 20;
const UNWELL = 3;
/** Each takes all that it is given: steps, steps of a regular expression, memory. */
const ATTACKS = [
  'for (;;);',
  'return /^(a+)+$/.test("a".repeat(50) + "b");',
  'const all = []; for (;;) all.push({ all });',
];
const PER_SECOND_AND_DESTINATION = 20;
/** Not counted: a worker that has only started is slow to everybody. */
const WARMUP_SECONDS = 4;
const SECONDS = 20;

export async function measureIsolation({ redis, databaseUrl }) {
  const alone = await load({ redis, databaseUrl });
  console.log(`  all healthy:        ${line(alone)}`);
  for (const [what, unwell] of [
    ['hanging', hang],
    ['attacking', attack],
  ]) {
    const beside = await load({ redis, databaseUrl }, unwell);
    const name = `beside ${what} ones`;
    figure('delivery: isolation', `to healthy ones ${name}`, beside.rate, 'deliveries/s', alone.rate);
    figure('delivery: isolation', `p99 ${name}`, beside.p99, 'ms', alone.p99);
    console.log(`  ${UNWELL} of ${DESTINATIONS} ${what}: ${line(beside)}`);
    const [rate, p99] = [beside.rate / alone.rate, beside.p99 / alone.p99];
    console.log(`  throughput ${rate.toFixed(3)}, p99 ${p99.toFixed(2)} times`);
  }
}

function hang(fixture, n) {
  return addDestination(fixture.client, `destination ${n}`, `${fixture.receiverUrl}/hang/${n}`);
}

async function attack(fixture, n) {
  const id = await addDestination(fixture.client, `destination ${n}`, `${fixture.receiverUrl}/attacked/${n}`);
  const transformationId = randomUUID();
  await fixture.client.query(
    `insert into transformation (id, name, description, code, version) values ($1, $2, '', $3, 1)`,
    [transformationId, `attack ${n}`, `export function transform() { ${ATTACKS[n % ATTACKS.length]} }`],
  );
  await fixture.client.query('update destination set transformation_id = $2 where id = $1', [
    id,
    transformationId,
  ]);
  return id;
}

async function load({ redis, databaseUrl }, unwell) {
  const fixture = await openFixture({ redis, databaseUrl });
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const queue = await openQueue(fixture, 'deliveries');
  try {
    const ids = [];
    for (let n = 0; n < DESTINATIONS; n += 1) {
      const isUnwell = unwell !== undefined && n < UNWELL;
      const healthyUrl = `${fixture.receiverUrl}/timed/${n}`;
      ids.push(
        isUnwell
          ? await unwell(fixture, n)
          : await addDestination(fixture.client, `destination ${n}`, healthyUrl),
      );
    }
    const healthy = ids.slice(UNWELL);
    const start = performance.now() + WARMUP_SECONDS * 1000;
    for (let second = -WARMUP_SECONDS; second < SECONDS; second += 1) {
      if (second === 0) await fetch(`${fixture.receiverUrl}/control/reset`);
      for (const id of ids) {
        await enqueue(queue, id, await addDeliveries(fixture.client, id, PER_SECOND_AND_DESTINATION));
      }
      await delay(Math.max(0, start + (second + 1) * 1000 - performance.now()));
    }
    await untilAllDelivered(fixture.client, healthy);
    const seconds = (performance.now() - start) / 1000;
    const seen = await (await fetch(`${fixture.receiverUrl}/control/stats`)).json();
    const latencies = Object.entries(seen)
      .filter(([path]) => path.startsWith('/timed/') && Number(path.split('/')[2]) >= UNWELL)
      .flatMap(([, { latencies }]) => latencies)
      .sort((a, b) => a - b);
    const at = (share) => latencies[Math.ceil(latencies.length * share) - 1];
    return { rate: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
  } finally {
    await queue.close();
    await service.stop();
    await fixture.close();
  }
}

function line({ rate, p50, p99 }) {
  return `${Math.round(rate)}/s to the healthy ones, p50 ${p50} ms, p99 ${p99} ms from event to receiver`;
}
