// What one worker takes when hundreds of destinations hang, with events as large as they may be and with usual ones, and
// what that costs a healthy destination beside them.
import { setTimeout as delay } from 'node:timers/promises';
import { residentMegabytes } from '../support/process-stats.mjs';
import { figure } from '../support/figures.mjs';
import {
  addDeliveries,
  addDestination,
  enqueue,
  openFixture,
  openQueue,
  startService,
  uuidAt,
} from './fixture.mjs';

const HANGING = 500;
/** More for each than a lane takes at a time. */
const EVENTS = 300;
const EVENT_BYTES = [32_000, 512];
const PER_SECOND = 20;
/** Tries end after 15 s; then the breakers open and everything is given back. */
const SECONDS = 25;
const LOOK_MS = 100;

export async function measureMemory({ redis, databaseUrl }) {
  for (const bytes of EVENT_BYTES) await measure({ redis, databaseUrl }, bytes);
}

async function measure({ redis, databaseUrl }, bytes) {
  const fixture = await openFixture({ redis, databaseUrl });
  // As `npm start` does.
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const queue = await openQueue(fixture, 'deliveries');
  try {
    const before = residentMegabytes(service.pid).now;
    const healthy = await addDestination(fixture.client, 'healthy', `${fixture.receiverUrl}/timed`);
    await addHanging(fixture, bytes);
    const start = performance.now();
    for (let second = 0; second < SECONDS; second += 1) {
      await enqueue(queue, healthy, await addDeliveries(fixture.client, healthy, PER_SECOND));
      while (performance.now() < start + (second + 1) * 1000) await delay(LOOK_MS);
    }
    const { peak } = residentMegabytes(service.pid);
    const seen = await (await fetch(`${fixture.receiverUrl}/control/stats`)).json();
    const latencies = (seen['/timed']?.latencies ?? []).sort((a, b) => a - b);
    const at = (share) => latencies[Math.ceil(latencies.length * share) - 1];
    console.log(
      `  ${HANGING} hang, events of ${bytes} bytes: ${Math.round(peak)} MB at most (${Math.round(before)} MB before); ` +
        `the healthy one got ${latencies.length} of ${PER_SECOND * SECONDS}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    );
    figure('delivery: memory', `${HANGING} destinations hang, ${bytes} bytes an event`, peak, 'MB');
  } finally {
    await queue.close();
    await service.stop();
    await fixture.close();
  }
}

/** Destinations that never answer, with a backlog each. They share their events. */
async function addHanging({ client, receiverUrl }, bytes) {
  const ids = [];
  for (let n = 0; n < HANGING; n += 1)
    ids.push(await addDestination(client, `hanging ${n}`, `${receiverUrl}/hang/${n}`));
  const eventIds = Array.from({ length: EVENTS }, () => uuidAt(Date.now()));
  await client.query(
    `insert into event (subject, "timestamp", id, source_id, type, name, payload)
     select 'u:large', $1, id, '00000000-0000-7000-8000-000000000001', 'track', 'Large',
       json_build_object('type', 'track', 'properties', json_build_object('text', (
         select string_agg(md5(id::text || n), '') from generate_series(1, $3::int / 32) n)))
     from unnest($2::uuid[]) id`,
    [new Date(), eventIds, bytes],
  );
  await client.query(
    `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at)
     select (left(e.id::text, 15) || substr(md5(e.id::text || d), 1, 3) || '-8' || substr(md5(d || e.id::text), 1, 3) || '-' ||
       substr(md5(e.id::text || d), 4, 12))::uuid, d, e.subject, e."timestamp", e.id, 'track', now()
     from event e, unnest($1::uuid[]) d where e.subject = 'u:large'`,
    [ids],
  );
}
