// How the cost of an event grows with the number of profiles.
import { randomInt } from 'node:crypto';
import { runWorkers } from './run-workers.mjs';
import { fillInbox } from './traffic.mjs';
import { figure } from '../support/figures.mjs';

const SMALL = 10_000;
const ROUNDS = 3;

export async function measure(database, { events, profiles }) {
  const rates = [];
  let existing = 0;
  for (const count of [SMALL, profiles]) {
    await fillProfiles(database.query, existing, count);
    existing = count;
    const round = async () => {
      const inboxIds = await fillInbox(database.url, events, () => ({ userId: `p${randomInt(count)}` }));
      await database.query('checkpoint');
      return (await runWorkers(database.url, inboxIds, events, 1)).eventsPerSecond;
    };
    await round(); // Warms caches.
    const all = [];
    for (let i = 0; i < ROUNDS; i += 1) all.push(await round());
    rates.push([...all].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
  }
  const [small, large] = rates;
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

async function fillProfiles(query, from, to) {
  await query(`
    insert into profile (subject, traits, trait_clocks, event_count, event_totals, first_seen_at, last_seen_at)
    select 'u:p' || n,
      jsonb_build_object('email', n || '@example.com', 'plan', 'pro', 'seats', n % 10, 'name', 'Person ' || n),
      jsonb_build_object('email', '0', 'plan', '0', 'seats', '0', 'name', '0'), 10,
      '{"Order Completed": {"count": 10, "first": 1795000000000, "last": 1795000000000}}',
      now() - interval '30 days', now() - interval '1 day'
    from generate_series(${from}, ${to - 1}) as n`);
  await query('vacuum analyze profile');
}
