// Events per second from the inbox to updated profiles, beside the bare insert of the same run.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasurement } from '../support/child.mjs';
import { runWorkers, warmupEvents } from './run-workers.mjs';
import { fillInbox, TRAFFIC } from './traffic.mjs';
import { figure } from '../support/figures.mjs';
import { parentOf, treeCpuSeconds } from '../support/process-stats.mjs';

const BARE_INSERT = join(dirname(fileURLToPath(import.meta.url)), '../ingest/bare-insert.mjs');
export async function measure(database, { events, rounds, traffic }) {
  await fillInbox(database.url, 1, TRAFFIC['one user']); // Makes the partitions, too.
  const bare = [];
  const runs = new Map();
  const postgres = parentOf((await database.pids())[0]);
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareInsert(database.url, round));
    await database.query('truncate inbox');
    for (const [name, idsOf] of Object.entries(TRAFFIC)) {
      if (traffic !== undefined && name !== traffic) continue;
      for (const workers of [1, 2]) {
        const inboxIds = await fillInbox(database.url, events + warmupEvents(workers), idsOf);
        await database.query('checkpoint');
        const before = treeCpuSeconds(postgres);
        const run = await runWorkers(database.url, inboxIds, events, workers);
        const postgresSeconds = treeCpuSeconds(postgres) - before;
        const postgresMicroseconds = (postgresSeconds * 1e6) / (events + warmupEvents(workers));
        const key = `${name}, ${workers} worker${workers === 1 ? '' : 's'}`;
        runs.set(key, [...(runs.get(key) ?? []), { ...run, postgresMicroseconds }]);
      }
    }
  }
  const insert = median(bare);
  console.log(
    `\nFrom the inbox to the profile, events/s, median of ${rounds} rounds of ${events} events (${database.kind})`,
  );
  console.log(`  ${'bare insert of events'.padEnd(40)} ${Math.round(insert).toString().padStart(8)}   1.00`);
  for (const [name, all] of runs) {
    const medianOf = (member) => median(all.map((run) => run[member]));
    const rate = medianOf('eventsPerSecond');
    figure('profiles: from the inbox to the profile', name, rate, 'events/s', insert);
    const each = all.map(({ eventsPerSecond }) => Math.round(eventsPerSecond)).join(', ');
    const [node, pg] = ['nodeMicroseconds', 'postgresMicroseconds'].map((of) => Math.round(medianOf(of)));
    console.log(
      `  ${name.padEnd(40)} ${Math.round(rate).toString().padStart(8)}   ${(rate / insert).toFixed(2)}  (${each})  CPU: Node.js ${node}, PostgreSQL ${pg} µs`,
    );
  }
}

async function bareInsert(databaseUrl, round) {
  const { eventsPerSecond } = await runMeasurement(BARE_INSERT, {
    databaseUrl,
    connections: 4,
    rowsPerStatement: 500,
    warmupMs: 1_000,
    durationMs: 4_000,
    run: `bare${round}`,
  });
  return eventsPerSecond;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
