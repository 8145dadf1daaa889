// What healthy destinations lose when 15 % of the destinations hang: the same load with and without them.
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
const HANGING = 3;
const PER_SECOND_AND_DESTINATION = 20;
/** Not counted: a worker that has only started is slow to everybody. */
const WARMUP_SECONDS = 4;
const SECONDS = 20;

export async function measureIsolation({ redis, databaseUrl }) {
  const alone = await load({ redis, databaseUrl }, 0);
  const beside = await load({ redis, databaseUrl }, HANGING);
  figure(
    'delivery: isolation',
    'to healthy ones beside hanging ones',
    beside.rate,
    'deliveries/s',
    alone.rate,
  );
  figure('delivery: isolation', 'p99 beside hanging ones', beside.p99, 'ms', alone.p99);
  console.log(`  all healthy:        ${line(alone)}`);
  console.log(`  ${HANGING} of ${DESTINATIONS} hang:       ${line(beside)}`);
  console.log(
    `  throughput ${(beside.rate / alone.rate).toFixed(3)}, p99 ${(beside.p99 / alone.p99).toFixed(2)} times`,
  );
}

async function load({ redis, databaseUrl }, hanging) {
  const fixture = await openFixture({ redis, databaseUrl });
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const queue = await openQueue(fixture, 'deliveries');
  try {
    const ids = [];
    for (let n = 0; n < DESTINATIONS; n += 1) {
      const path = n < hanging ? `/hang/${n}` : `/timed/${n}`;
      ids.push(await addDestination(fixture.client, `destination ${n}`, `${fixture.receiverUrl}${path}`));
    }
    const healthy = ids.slice(HANGING);
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
      .filter(([path]) => path.startsWith('/timed/') && Number(path.split('/')[2]) >= HANGING)
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
