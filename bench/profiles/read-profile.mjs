// GET /profiles/:userId while many events are stored, some of them of one person.
import { performance } from 'node:perf_hooks';
import { accessToken } from '../support/access-token.mjs';
import { startService } from '../support/service.mjs';
import { measure as fill, usersOf } from './fill-events.mjs';
import { figure } from '../support/figures.mjs';

const REQUESTS = 1_000;
const TRAITS = 50;
const EVENTS = ['Order Completed', 'Product Viewed'];

export async function measure(database, { stored }) {
  await fill(database, { stored });
  const service = await startService({ databaseUrl: database.url });
  try {
    const headers = { authorization: `Bearer ${await accessToken('benchmark-jwt-secret')}` };
    const users = usersOf(stored);
    console.log(
      `\nGET /profiles/:userId, ${stored} events stored, ${REQUESTS} requests one after the other (${database.kind})`,
    );
    const ofHeavy = () => `${service.url}/profiles/heavy`;
    const ofRandom = () => `${service.url}/profiles/r${Math.floor(Math.random() * users)}`;
    await time('a person with 50,000 events', ofHeavy, headers);
    await time('random people', ofRandom, headers);
    for (let n = 0; n < TRAITS; n += 1) await addTrait(service, headers, n);
    await time(`random people, ${TRAITS} computed traits`, ofRandom, headers);
    await time(`50,000 events, ${TRAITS} computed traits`, ofHeavy, headers, REQUESTS / 20);
  } finally {
    await service.stop();
  }
}

/** A sum, a count, or the last or most frequent value of some events, each of others. */
async function addTrait({ url }, headers, n) {
  const aggregate = ['sum', 'count', 'last', 'most_frequent', 'unique'][n % 5];
  const definition = {
    name: `trait_${n}`,
    event: EVENTS[n % EVENTS.length],
    where: [{ field: 'properties.revenue', operator: 'gte', value: n / 10 }],
    aggregate,
    ...(aggregate === 'count' ? {} : { of: 'properties.revenue' }),
    within: '90d',
  };
  const answer = await fetch(`${url}/computed-traits`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(definition),
  });
  if (answer.status !== 201) throw new Error(`unexpected answer ${answer.status}: ${await answer.text()}`);
}

async function time(name, urlOf, headers, requests = REQUESTS) {
  const times = [];
  for (let i = 0; i < requests + 50; i += 1) {
    const from = performance.now();
    const answer = await fetch(urlOf(), { headers });
    const body = await answer.json();
    if (answer.status !== 200 || body.events.length === 0)
      throw new Error(`unexpected answer ${answer.status}`);
    if (i >= 50) times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  figure('profiles: reading one', `${name}, p99`, Number(at(0.99)), 'ms');
  console.log(`  ${name.padEnd(36)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(1)} ms`);
}
