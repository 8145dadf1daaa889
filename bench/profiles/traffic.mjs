// @ts-check
// The kinds of traffic, and how they get into the inbox.
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { sampleEvent } from '../ingest/sample-event.mjs';
import { EventStore } from '#dist/events/event-store';
import { Partitions } from '#dist/events/partitions/partitions';
import { Config } from '#dist/platform/config/config';

export const EVENTS_PER_ROW = 500;
/** One event in so many is an identify with traits. */
const IDENTIFY_EVERY = 5;
const HOT_USERS = 1_000;

/** Who the event number `n` is about. `run` makes users of one run new. */
export const TRAFFIC = {
  'new users': (n, run) => ({ userId: `${run}-${n}` }),
  'new users and visitors': (n, run) => ({ userId: `${run}-${n}`, anonymousId: `${run}-${n}` }),
  '1,000 hot users': (n) => ({ userId: `hot-${(n * 7_919) % HOT_USERS}` }),
  'one user': () => ({ userId: 'one' }),
};

/** Puts `count` events into the inbox, 500 in each row; answers the ids of the rows. */
export async function fillInbox(databaseUrl, count, idsOf) {
  const config = Config.from({ CDP_DATABASE_URL: databaseUrl });
  const partitions = new Partitions(config);
  await partitions.maintain();
  const store = new EventStore(config, partitions);
  const run = randomUUID().slice(0, 8);
  const inboxIds = [];
  for (let start = 0; start < count; start += EVENTS_PER_ROW) {
    const size = Math.min(EVENTS_PER_ROW, count - start);
    const events = Array.from({ length: size }, (_, i) => storable(start + i, idsOf(start + i, run)));
    inboxIds.push((await store.store(events)).inboxId);
  }
  await store.onApplicationShutdown();
  return inboxIds;
}

/** @returns {import('#dist/events/event-store').StorableEvent} */
function storable(n, ids) {
  const messageId = randomUUID();
  const timestamp = new Date().toISOString();
  const { event, anonymousId, ...sample } = sampleEvent(messageId, ids.userId, timestamp);
  const isIdentify = n % IDENTIFY_EVERY === 0;
  const kind = isIdentify
    ? {
        type: /** @type {const} */ ('identify'),
        traits: { email: `${n}@example.com`, plan: 'pro', seats: n % 10, name: `Person ${n}` },
      }
    : { type: /** @type {const} */ ('track'), event };
  const payload = { ...sample, ...kind, ...ids, receivedAt: timestamp };
  const id = uuidv7();
  return {
    id,
    key: randomUUID(),
    sourceId: '0190a000-0000-7000-8000-000000000001',
    subject: `u:${ids.userId}`,
    type: kind.type,
    name: kind.event,
    timestampMs: Date.parse(timestamp),
    payload: Buffer.from(JSON.stringify(payload)),
  };
}
