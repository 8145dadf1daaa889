// Deliveries per second of one worker, as a part of what a bare loop of signed POSTs reaches in the same run.
import { spawn } from 'node:child_process';
import {
  addDeliveries,
  addDestination,
  cpuOf,
  enqueue,
  openFixture,
  openQueue,
  secondsToDeliver,
  startService,
} from './fixture.mjs';
import { figure } from '../support/figures.mjs';

const CONNECTIONS = 32;
/** Not reported. A worker runs for weeks where it is used; here it gets faster until it has sent some 60,000. */
const WARM_UP_ROUNDS = 2;

export async function measureThroughput({ redis, databaseUrl, total = 20_000, rounds = 3 }) {
  const fixture = await openFixture({ redis, databaseUrl });
  const service = await startService(fixture, {
    CDP_ROLES: 'worker',
    CDP_DELIVERY_CONCURRENCY: String(CONNECTIONS),
  });
  const queue = await openQueue(fixture, 'deliveries');
  const results = [];
  try {
    for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round += 1) {
      const result = await measureRound(round, total, { fixture, service, queue });
      if (round < 1) continue;
      results.push(result);
      const { bare, rate, ratio, received, worker, postgres, receiver, redis } = result;
      console.log(
        `  round ${round}: bare ${bare}/s, delivery ${rate}/s, ratio ${ratio.toFixed(2)}, ` +
          `received ${received}, CPU of each: worker ${worker} µs, PostgreSQL ${postgres} µs, ` +
          `receiver ${receiver} µs, Redis ${redis} µs`,
      );
    }
    const ratios = results.map(({ ratio }) => ratio).sort((a, b) => a - b);
    console.log(`  median ratio ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}`);
  } finally {
    await queue.close();
    await service.stop();
    await fixture.close();
  }
  const middle = results.toSorted((a, b) => b.ratio - a.ratio)[Math.floor(results.length / 2)];
  figure('delivery: throughput', 'first tries, one worker process', middle.rate, 'deliveries/s', middle.bare);
  return results;
}

async function measureRound(round, total, { fixture, service, queue }) {
  const { receiverUrl } = fixture;
  const bare = await bareLoop(receiverUrl, total);
  const path = `/ok/${round}`;
  const { seconds, cpu } = await deliverAll({ name: `bench ${round}`, path, total }, fixture, service, queue);
  const rate = Math.round(total / seconds);
  const { received, distinct } = (await (await fetch(`${receiverUrl}/control/stats`)).json())[path];
  return { bare, rate, ratio: rate / bare, received, distinct, ...cpu };
}

/** First tries of so many events to a new destination: how long they take, and the microseconds of CPU of each. */
export async function deliverAll({ name, path, total }, fixture, service, queue) {
  const { client, receiverUrl } = fixture;
  const destinationId = await addDestination(client, name, `${receiverUrl}${path}`);
  const ids = await addDeliveries(client, destinationId, total);
  await client.query('analyze delivery, event, delivery_attempt');
  await client.query('checkpoint');
  await queue.pause();
  await enqueue(queue, destinationId, ids);
  const cpu = cpuOf(fixture, service);
  const seconds = await secondsToDeliver(() => queue.resume(), fixture, { destinationId, path, total });
  return { destinationId, seconds, cpu: cpu(total) };
}

function bareLoop(receiverUrl, total) {
  return new Promise((resolve, reject) => {
    const script = new URL('bare-loop.mjs', import.meta.url).pathname;
    const loop = spawn('node', [script, receiverUrl, '/ok/bare', String(total), String(CONNECTIONS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    loop.stdout.on('data', (data) => (output += data));
    loop.on('exit', (code) =>
      code === 0 ? resolve(Number(output)) : reject(new Error('The bare loop failed.')),
    );
  });
}
