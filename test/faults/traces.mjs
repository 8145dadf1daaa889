// @ts-check
// npm run test:traces -- [--events 10000] [--kills 6] [--seed …] [--database-url …]: random events go through a service
// whose worker is killed with SIGKILL while they do; destinations fail, refuse, hang, filter and are paused; some events
// are sent twice, some are not valid, some cannot be processed. People enter a segment by what they do, and some quit;
// what was given up is replayed, and so are events. Then the trace of each event is held against what was sent, what the
// receiver saw and what the tables say.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SignJWT } from 'jose';
import { openBenchDatabase } from '../../bench/support/postgres.mjs';
import { startService } from '../../bench/support/service.mjs';
import { startFatefulReceiver } from './fateful-receiver.mjs';
import { peopleOf, regularsOf } from './trace-members.mjs';
import { makeDestinations, problemsOf } from './trace-oracle.mjs';
import { TraceTraffic } from './trace-traffic.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '6' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    'database-url': { type: 'string' },
  },
});
/** Short times, so that every event comes to its end soon. */
const ENV = {
  CDP_LOG_LEVEL: 'fatal',
  CDP_JWT_SECRET: 'trace-oracle-secret-of-some-length',
  CDP_EGRESS_ALLOW: '127.0.0.1/32',
  CDP_DELIVERY_MAX_ATTEMPTS: '3',
  CDP_DELIVERY_BACKOFF_MS: '50',
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_GRACE_MS: '1000',
};
const SENDERS = 4;
/** Of a worker. */
const MIN_LIFE_MS = 500;
const MAX_LIFE_MS = 3_000;
const REPLAYS = { ratePerSecond: 500 };
/** Events of these people cannot be processed. */
const POISON_SQL = [
  `create function refuse_poison() returns trigger language plpgsql as $$
   begin raise exception using errcode = 'data_exception', message = 'this person is poison'; end $$`,
  `create trigger refuse_poison_tr before insert or update on profile
   for each row when (new.subject like 'u:poison-%') execute function refuse_poison()`,
];
const TRACES_AT_ONCE = 6;
const SETTLE_MS = 600_000;
const SHOWN_PROBLEMS = 20;

const database = await openBenchDatabase(values['database-url']);
const receiver = await startFatefulReceiver();
/** @param {string} roles */
const start = (roles) => startService({ databaseUrl: database.url, env: { ...ENV, CDP_ROLES: roles } });
const front = await start('management,events');
let worker = await start('worker');
let failed = true;
try {
  failed = await run();
} finally {
  await Promise.all([front.stop(), worker.stop()]);
  receiver.close();
  await database.close();
}
process.exit(failed ? 1 : 0);

async function run() {
  console.log(`seed ${values.seed}`);
  const call = await managementApi();
  /** @type {import('./trace-traffic.mjs').Source[]} */
  const sources = [];
  for (const name of ['Shop', 'App']) sources.push((await call('POST', '/sources', { name })).body);
  for (const sql of POISON_SQL) await database.query(sql);
  const regulars = regularsOf(Number(values.events));
  const segment = (await call('POST', '/segments', regulars.segment)).body;
  await until(async () => (await call('GET', `/segments/${segment.id}`)).body.state === 'live');
  const destinations = await makeDestinations(call, { url: receiver.url, sources, regulars: segment });
  const traffic = new TraceTraffic({ url: front.url, sources, seed: Number(values.seed) });
  await sendWhileKilling(traffic);
  await untilSettled(destinations);
  await replayWhileKilling(call, destinations, traffic);
  await untilSettled(destinations);
  const stored = await readTables();
  const sent = traffic.sent;
  console.log(
    `${sent.length} events sent and ${traffic.duplicates} of them twice, worker killed ${values.kills} times; ` +
      `${stored.deliveries.length} deliveries, ${stored.changedAtMs.size} people who were regulars`,
  );
  const startedAt = Date.now();
  const people = peopleOf(traffic);
  const { users } = traffic;
  const problems = await checkAll(sent, { call, destinations, stored, receiver, users, people, regulars });
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(problem);
  console.log(
    `${sent.length - problems.length} of ${sent.length} traces name the true end of their event (${seconds} s)`,
  );
  return problems.length > 0;
}

/** @returns {Promise<import('./trace-oracle.mjs').Call>} */
async function managementApi() {
  const token = await new SignJWT({ scope: 'cdp:admin cdp:write cdp:read' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('traces')
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(Buffer.from(ENV.CDP_JWT_SECRET));
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(front.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { body: text === '' ? undefined : JSON.parse(text) };
  };
}

/**
 * Kills go on while what was sent is still under way; the last things that are sent link visitors to users.
 * @param {TraceTraffic} traffic
 */
async function sendWhileKilling(traffic) {
  const total = Number(values.events);
  const senders = Array.from({ length: SENDERS }, () => traffic.send(total));
  for (let kill = 0; kill < Number(values.kills); kill += 1) await killWorker();
  await Promise.all(senders);
  await traffic.identifyVisitors();
}

/**
 * What one destination gave up is sent again, now with success, and to another one what it got already.
 * @param {import('./trace-oracle.mjs').Call} call
 * @param {{ ids: Map<string, string> }} destinations
 * @param {TraceTraffic} traffic
 */
async function replayWhileKilling(call, { ids }, traffic) {
  receiver.mended.add('/Large');
  const asked = [
    await call('POST', '/dead-letters/replay', { ...REPLAYS, destinationId: ids.get('Large') }),
    await call('POST', `/destinations/${ids.get('Orders')}/replay`, {
      ...REPLAYS,
      from: '2020-01-01T00:00:00Z',
    }),
  ];
  await traffic.quitSome();
  await killWorker();
  for (const { body } of asked)
    await until(async () => (await call('GET', `/replays/${body.id}`)).body.state === 'done');
}

async function killWorker() {
  await delay(MIN_LIFE_MS + Math.random() * (MAX_LIFE_MS - MIN_LIFE_MS));
  process.kill(worker.pid, 'SIGKILL');
  worker = await start('worker');
}

/**
 * Until nothing moves any more but what is paused, and what nobody answers for.
 * @param {{ stuck: (string | undefined)[] }} destinations
 */
function untilSettled({ stuck }) {
  return until(async () => {
    const [{ left }] = await database.query(
      `select (select count(*) from inbox) + (select count(*) from rejected_event where not screened)
         + (select count(*) from delivery where state = 'pending' and destination_id <> all($1)) as left`,
      [stuck],
    );
    return Number(left) === 0;
  });
}

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  const untilMs = Date.now() + SETTLE_MS;
  while (!(await isSo())) {
    if (Date.now() > untilMs) throw new Error('Events, deliveries or replays did not come to an end.');
    await delay(500);
  }
}

/** @returns {Promise<import('./trace-oracle.mjs').Stored>} */
async function readTables() {
  /** @type {import('./trace-oracle.mjs').DeliveryRow[]} */
  const deliveries = await database.query(
    'select id, destination_id as "destinationId", event_id as "eventId", state, attempts from delivery',
  );
  const tries = await database.query(
    'select delivery_id as id, count(*)::int as count from delivery_attempt group by 1',
  );
  const byEvent = new Map();
  for (const row of deliveries) byEvent.set(row.eventId, [...(byEvent.get(row.eventId) ?? []), row]);
  const changes = await database.query(
    `select m.subject, floor(extract(epoch from m.changed_at) * 1000)::float8 as ms
     from segment_member m join segment s on s.live_generation = m.generation where s.name = 'Regulars'`,
  );
  const changedAtMs = new Map(changes.map(({ subject, ms }) => [subject, ms]));
  return { byEvent, deliveries, changedAtMs, tries: new Map(tries.map(({ id, count }) => [id, count])) };
}

/**
 * One line for each event whose trace is not true; also for what the receiver got and no trace tells of.
 * @param {import('./trace-traffic.mjs').SentEvent[]} sent
 * @param {import('./trace-oracle.mjs').Facts} facts
 */
async function checkAll(sent, facts) {
  /** @type {Set<string | undefined>} */
  const told = new Set();
  /** @type {string[]} */
  const problems = [];
  const left = sent.values();
  const check = async () => {
    for (const event of left) {
      const path = `/events/trace?messageId=${event.messageId}&sourceId=${event.sourceId}`;
      /** @type {{ body: import('./trace-oracle.mjs').Trace[] }} */
      const { body } = await facts.call('GET', path);
      for (const { destinations } of body) for (const { delivery } of destinations) told.add(delivery?.id);
      const wrong = problemsOf(event, body, facts);
      if (wrong.length > 0) problems.push(`${event.messageId} (${event.fate}): ${wrong.join('; ')}`);
    }
  };
  await Promise.all(Array.from({ length: TRACES_AT_ONCE }, check));
  const untold = [...facts.receiver.statuses.keys()].filter((id) => !told.has(id));
  return untold.length === 0 ? problems : [...problems, `${untold.length} deliveries were received untold`];
}
