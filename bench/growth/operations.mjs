// What people ask of the Management API, each as a request that can be timed on a small store and on a large one.
import { randomInt } from 'node:crypto';
import { userIdOf } from '../ingest/sample-event.mjs';

const REPEATS = 15;
/** Before those that count: a connection keeps a plan after five executions, and what was read lately is in memory. */
const WARMUP = 10;
const RULES = {
  common: [{ field: 'traits.plan', operator: 'eq', value: 'pro' }],
  rare: [{ field: 'traits.badge', operator: 'eq', value: 'rare' }],
};

/**
 * Median milliseconds of each operation once its plans are warm, by its name: of each of the stores, which are asked in
 * turn. What is about one person is asked of somebody new each time, whose pages may be on the disk, and then again.
 */
export async function timeOperations(stores) {
  const asked = await Promise.all(stores.map(async (store) => operationsOf(await known(store))));
  const askedOf = stores.map(({ api, size }) => ({ api, somebody: newPeople(size) }));
  const times = {};
  for (const name of Object.keys(asked[0])) {
    const timed = {};
    for (let n = 0; n < WARMUP + REPEATS; n += 1) {
      for (const [index, store] of askedOf.entries()) {
        for (const [label, ms] of await timeOnce(name, asked[index][name], store, n)) {
          timed[label] ??= stores.map(() => []);
          if (n >= WARMUP) timed[label][index].push(ms);
        }
      }
    }
    for (const [label, taken] of Object.entries(timed)) times[label] = taken.map(median);
  }
  return times;
}

/** Pairs of what was timed and its milliseconds. */
async function timeOnce(name, operation, { api, somebody }, n) {
  const time = async (request) => {
    const from = performance.now();
    await api(...request);
    return performance.now() - from;
  };
  if (typeof operation === 'function') return [[name, await time(operation(n))]];
  const { ask, prepare } = operation;
  let person = somebody();
  const first = await time(ask(person));
  if (prepare !== undefined) {
    person = somebody();
    await api(...prepare(person));
  }
  return [
    [`${name}: first`, first],
    [`${name}: again`, await time(ask(person))],
  ];
}

/** Names somebody else each time: who was deleted is not to be found again. */
function newPeople({ people }) {
  const named = new Set();
  return () => {
    let person = randomInt(people);
    while (named.has(person)) person = randomInt(people);
    named.add(person);
    return userIdOf(person, people);
  };
}

function median(numbers) {
  return [...numbers].sort((x, y) => x - y)[Math.floor(numbers.length / 2)];
}

/** A segment that is live, to be listed and explained. */
export async function makeSegment(api) {
  const { id } = await api('POST', '/segments', { name: 'Pro', rules: RULES.common });
  for (;;) {
    const { state } = await api('GET', `/segments/${id}`);
    if (state === 'live') return id;
    if (state === 'failed') throw new Error('The segment could not be computed.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Something old of each kind. */
async function known({ api, size: { days }, destinationId, segmentId }) {
  const dayAgo = (count) => new Date(Date.now() - count * 86_400_000).toISOString();
  const between = `from=${dayAgo(days - 2)}&to=${dayAgo(days - 3)}`;
  const [event] = await api('GET', `/events?limit=1&${between}`);
  const [delivery] = await api('GET', `/destinations/${destinationId}/deliveries?limit=1&${between}`);
  return { between, event, delivery, destinationId, segmentId };
}

/**
 * Of each name the request for its nth time, or what is asked about a person. With `prepare`, which is asked before,
 * that is of somebody else the second time.
 */
function operationsOf({ between, event, delivery, destinationId, segmentId }) {
  const deliveries = `/destinations/${destinationId}/deliveries`;
  const get = (path) => () => ['GET', path];
  return {
    'a profile': { ask: (person) => ['GET', `/profiles/${person}`] },
    'profiles, a page': get('/profiles?limit=100'),
    'profiles by prefix': get('/profiles?prefix=u00012&limit=100'),
    'profiles with a trait of many': get('/profiles?trait=plan:pro&limit=100'),
    'profiles with a trait of few, a page': get('/profiles?trait=badge:rare&limit=100'),
    'events, newest': get('/events?limit=100'),
    'events of a name': get('/events?limit=100&name=Cart%20Viewed'),
    'events of a person': { ask: (person) => ['GET', `/events?limit=100&userId=${person}`] },
    'events of an old day': get(`/events?limit=100&${between}`),
    'an old event': get(`/events/${event.id}`),
    'trace of an old event': get(`/events/${event.id}/trace`),
    'deliveries, newest': get(`${deliveries}?limit=100`),
    'deliveries that are dead': get(`${deliveries}?limit=100&state=dead`),
    'deliveries of a person': { ask: (person) => ['GET', `${deliveries}?limit=100&userId=${person}`] },
    'deliveries of an old day': get(`${deliveries}?limit=100&${between}`),
    'an old delivery': get(`/deliveries/${delivery.id}`),
    'dead letters, newest': get('/dead-letters?limit=100'),
    'dead letters of a rare reason': get('/dead-letters?limit=100&reason=timeout'),
    'stats of the service': get('/stats'),
    'stats of destinations': get('/destinations/stats'),
    'stats of a destination': get(`/destinations/${destinationId}/stats`),
    'members of a segment, a page': get(`/segments/${segmentId}/members?limit=100`),
    'explanation of a person': { ask: (person) => ['GET', `/segments/${segmentId}/explain/${person}`] },
    'preview of a segment of many': () => ['POST', '/segments/preview', { rules: RULES.common }],
    'preview of a segment of few': () => ['POST', '/segments/preview', { rules: RULES.rare }],
    'members of a group': (n) => ['GET', `/groups/acme-${n}`],
    'export of a person': { ask: (person) => ['GET', `/profiles/${person}/export`] },
    // Nobody is deleted twice, so somebody else is looked at before.
    'deletion of a person': {
      ask: (person) => ['DELETE', `/profiles/${person}`],
      prepare: (person) => ['GET', `/profiles/${person}/export`],
    },
  };
}
