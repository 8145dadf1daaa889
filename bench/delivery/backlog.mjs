// An outage of an hour at 1,000 events per second, as the ledger has it afterwards; how much Redis it takes, how fast
// it is delivered and what a claim costs meanwhile. --total makes it shorter, --drain-seconds looks at a part of it.
import { setTimeout as delay } from 'node:timers/promises';
import Redis from 'ioredis';
import { figure } from '../support/figures.mjs';
import { addDestination, addOutage, openFixture, startService } from './fixture.mjs';

/** For so long the destination is down and the service tries to find out whether it still is. */
const DOWN_SECONDS = 10;
const WINDOW_MS = 5_000;

export async function measureBacklog({ redis, databaseUrl, total = 300_000, drainSeconds = Infinity }) {
  const fixture = await openFixture({ redis, databaseUrl });
  const { client } = fixture;
  // The service makes the partitions when it boots.
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const memory = redisMemory(fixture.redisUrl);
  try {
    const destinationId = await addDestination(client, 'down for an hour', `${fixture.receiverUrl}/down`);
    await addOutage(client, destinationId, total);
    for (let second = 0; second < DOWN_SECONDS; second += 1) {
      await memory.look();
      await delay(1_000);
    }
    await client.query('create extension if not exists pg_stat_statements');
    await fetch(`${fixture.receiverUrl}/control/up`);
    // It is probed at most a minute later; from the first delivery on it is drained.
    while ((await received(fixture)) === 0) await delay(50);
    const windows = [];
    const start = performance.now();
    let done = 0;
    while (done < total && performance.now() - start < drainSeconds * 1_000) {
      await client.query('select pg_stat_statements_reset()');
      const from = performance.now();
      await untilReceived(fixture, total, from + WINDOW_MS);
      await memory.look();
      const now = await received(fixture);
      const perSecond = Math.round((now - done) / ((performance.now() - from) / 1_000));
      windows.push({ delivered: now, perSecond, ...(await claimCost(client)) });
      done = now;
    }
    const seconds = (performance.now() - start) / 1_000;
    console.table(windows);
    console.log(
      `  ${total} waited; ${done} delivered in ${seconds.toFixed(0)} s (${Math.round(done / seconds)}/s)`,
    );
    figure('delivery: after an outage', 'draining the backlog', done / seconds, 'deliveries/s');
    if (done >= total) console.log(`  states in the ledger: ${JSON.stringify(await states(client))}`);
    console.log(`  Redis never held more than ${(memory.most() / 1e6).toFixed(1)} MB`);
    return { total, done, seconds, windows, redisBytes: memory.most() };
  } finally {
    memory.close();
    await service.stop();
    await fixture.close();
  }
}

function redisMemory(url) {
  const client = url === undefined ? undefined : new Redis(url);
  let most = 0;
  return {
    async look() {
      if (client === undefined) return;
      most = Math.max(most, Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]));
    },
    most: () => most,
    close: () => client?.disconnect(),
  };
}

async function received(fixture) {
  const seen = await (await fetch(`${fixture.receiverUrl}/control/stats`)).json();
  return seen['/down']?.distinct ?? 0;
}

async function untilReceived(fixture, total, until) {
  while (performance.now() < until && (await received(fixture)) < total) await delay(250);
}

/** Once all is received, the last outcomes are still being recorded. */
async function states(client) {
  for (;;) {
    const { rows } = await client.query('select state, count(*)::int from delivery group by state');
    if (rows.every(({ state }) => state !== 'pending')) return rows;
    await delay(200);
  }
}

/** Milliseconds and buffers of one claim of the backlog, on average since the last reset. */
async function claimCost(client) {
  const { rows } = await client.query(
    `select mean_exec_time, (shared_blks_hit + shared_blks_read)::float8 / calls as buffers, rows::float8 / calls as rows
     from pg_stat_statements where query like '%due_at >= $6%' order by calls desc limit 1`,
  );
  if (rows.length === 0) return {};
  const [{ mean_exec_time, buffers, rows: claimed }] = rows;
  return { claimMs: mean_exec_time.toFixed(1), claimed: Math.round(claimed), buffers: Math.round(buffers) };
}
