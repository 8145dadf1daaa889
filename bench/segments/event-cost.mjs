// @ts-check
// What an event costs with 10 and with 1,000 segments: profiles and memberships, one transaction per 100 events.
// Routing, deliveries and the queue come on top of both in the service, so there the ratio is smaller.
import { openBenchDatabase } from '../support/postgres.mjs';
import { addSegment, median, openParts } from './parts.mjs';
import { uuidv7 } from 'uuidv7';
import { figure } from '../support/figures.mjs';

const USERS = 5_000;
const EVENTS_PER_TRANSACTION = 100;
const TRANSACTIONS_PER_ROUND = 40;
const ROUNDS = 7;
const FEW = 10;
const MANY = 1_000;
const TARGET_RATIO = 2;

/** The rules of segment i. */
const CASES = {
  'a trait or event of its own each': (i) =>
    i % 2 === 0
      ? [{ field: `trait_${i}`, operator: 'eq', value: 'x' }]
      : [{ field: 'event_count', event: `Event ${i}`, operator: 'gte', value: 2 }],
  'one of 20 traits or events each': (i) =>
    i % 2 === 0
      ? [{ field: `trait_${i % 20}`, operator: 'gt', value: i }]
      : [{ field: 'event_count', event: `Event ${i % 20}`, operator: 'gte', value: i }],
  'a value of the same trait each': (i) => [{ field: 'plan', operator: 'eq', value: `plan ${i}` }],
  'a trait of its own each, everybody is in every fifth': (i) => [
    { field: `trait_${i}`, operator: i % 5 === 0 ? 'neq' : 'eq', value: 'x' },
  ],
  'a number of events each, all of them evaluated': (i) => [
    { field: 'event_count', operator: 'gte', value: 20 + i },
  ],
};

export async function measure({ url }) {
  for (const [name, rulesOf] of Object.entries(CASES)) {
    const few = await prepare(url, FEW, rulesOf);
    const many = await prepare(url, MANY, rulesOf);
    /** @type {Record<'few' | 'many', number[]>} */
    const costs = { few: [], many: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const microseconds = { few: await few.round(), many: await many.round() };
      if (round === 0) continue; // Warms up.
      costs.few.push(microseconds.few);
      costs.many.push(microseconds.many);
    }
    const ratio = median(costs.many) / median(costs.few);
    figure('segments: an event', `${MANY} segments, ${name}`, median(costs.many), 'µs', median(costs.few));
    console.log(
      `${name}: ${median(costs.few).toFixed(0)} µs/event with ${FEW} segments, ${median(costs.many).toFixed(0)} µs with ${MANY}: ` +
        `${ratio.toFixed(2)}x ${ratio <= TARGET_RATIO ? 'ok' : `over the target of ${TARGET_RATIO}x`}`,
    );
    await few.close();
    await many.close();
  }
}

/** In an empty database of its own on the same server. */
async function prepare(serverUrl, segments, rulesOf) {
  const bench = await openBenchDatabase(serverUrl);
  const parts = openParts(bench.url);
  for (let i = 0; i < segments; i += 1) await addSegment(parts.database, rulesOf(i), { computed: true });
  let sent = 0;
  const transaction = async () => {
    const events = Array.from({ length: EVENTS_PER_TRANSACTION }, () => anEvent((sent += 1)));
    await parts.database.transaction(async (tx) => {
      const touched = await parts.profiles.apply(events, tx);
      await parts.membership.reevaluate(touched, tx);
    });
  };
  for (let i = 0; i < USERS / EVENTS_PER_TRANSACTION; i += 1) await transaction();
  return {
    round: async () => {
      const start = performance.now();
      for (let i = 0; i < TRANSACTIONS_PER_ROUND; i += 1) await transaction();
      return ((performance.now() - start) * 1000) / (TRANSACTIONS_PER_ROUND * EVENTS_PER_TRANSACTION);
    },
    close: async () => {
      await parts.close();
      await bench.close();
    },
  };
}

/**
 * Every other event changes traits, and with them who is in which segment: a user's next values are other ones.
 * @returns {import('#dist/events/customer-event').CustomerEvent}
 */
function anEvent(n) {
  const value = (n + Math.floor(n / USERS)) % 1000;
  const id = uuidv7();
  const timestamp = new Date().toISOString();
  const userId = `user-${(n * 7919) % USERS}`;
  const base = {
    id,
    sourceId: id,
    subject: /** @type {const} */ (`u:${userId}`),
    messageId: id,
    timestamp,
    receivedAt: timestamp,
    userId,
  };
  return n % 2 === 0
    ? { ...base, type: 'track', event: `Event ${n % 40}`, properties: { n } }
    : { ...base, type: 'identify', traits: { plan: `plan ${value}`, [`trait_${n % 40}`]: value } };
}
