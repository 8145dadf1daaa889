// How the cost of an event grows with the number of profiles.
import { randomInt } from 'node:crypto';
import { measure as fill } from './fill-profiles.mjs';
import { openBenchDatabase } from '../support/postgres.mjs';
import { runWorkers, warmupEvents } from './run-workers.mjs';
import { fillInbox } from './traffic.mjs';
import { figure } from '../support/figures.mjs';

const SMALL = 10_000;
const ROUNDS = 3;

export async function measure(database, { events, profiles }) {
  const fresh = await openBenchDatabase();
  const small = await rateWith(fresh, SMALL, events).finally(() => fresh.close());
  const large = await rateWith(database, profiles, events);
  console.log('\nCost of an event by number of profiles, 1 worker, random existing users');
  console.log(
    `  ${SMALL} profiles: ${Math.round(small)} events/s, ${profiles}: ${Math.round(large)} events/s`,
  );
  figure(
    'profiles: by number of profiles',
    `${profiles} profiles, beside ${SMALL}`,
    large,
    'events/s',
    small,
  );
  console.log(`  cost ratio ${(small / large).toFixed(2)}`);
}

/** Events per second while there are so many profiles: the median of some rounds after one that warms caches. */
async function rateWith(database, profiles, events) {
  await fill(database, { profiles });
  const rates = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const inboxIds = await fillInbox(database.url, events + warmupEvents(1), () => ({
      userId: `p${randomInt(profiles)}`,
    }));
    await database.query('checkpoint');
    rates.push((await runWorkers(database.url, inboxIds, events, 1)).eventsPerSecond);
  }
  return rates.slice(1).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}
