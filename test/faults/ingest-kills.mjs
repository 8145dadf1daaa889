// @ts-check
// npm run test:kill -- [--rounds 6] [--database-url …]: kills the service, a process of PostgreSQL and PostgreSQL's first
// process in turn with SIGKILL while clients send as fast as they can, then holds every 200 they got against the event
// table: there once, exactly. The first process only of the embedded PostgreSQL, which is started again as in `npm start`.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTraffic } from '../../bench/soak/traffic.mjs';
import { openBenchDatabase } from '../../bench/support/postgres.mjs';
import { parentOf } from '../../bench/support/process-stats.mjs';
import { startService } from '../../bench/support/service.mjs';

const MIN_LOAD_MS = 1_000;
const MAX_LOAD_MS = 3_000;
/** Events whose answers may have been under way when something was killed. */
const BACKLOG = 2_000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, 'database-url': { type: 'string' } },
});
const victims = [
  { victim: 'the service', kill: killService },
  { victim: 'a process of PostgreSQL', kill: crashPostgres },
  ...(values['database-url'] === undefined ? [{ victim: 'PostgreSQL', kill: killPostmaster }] : []),
];

const database = await openBenchDatabase(values['database-url']);
/**
 * None while it is started again.
 * @type {import('../../bench/support/service.mjs').Service | undefined}
 */
let service = await start();
let failed = true;
try {
  failed = await killAndCount(Number(values.rounds));
} finally {
  await service?.stop();
  await database.close();
}
process.exit(failed ? 1 : 0);

/**
 * Whether anything was wrong.
 * @param {number} rounds
 */
async function killAndCount(rounds) {
  const urls = () => (service === undefined ? [] : [service.url]);
  const traffic = startTraffic({ urls, writeKey: await makeSource() });
  const startedAt = Date.now();
  for (let round = 1; round <= rounds; round += 1) {
    await delay(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS));
    const before = traffic.accepted.length;
    const { victim, kill } = victims[(round - 1) % victims.length];
    const killedAt = Date.now();
    await kill();
    await untilAcceptedMoreThan(before + BACKLOG, traffic);
    const seconds = ((Date.now() - killedAt) / 1000).toFixed(1);
    console.log(
      `round ${round}: ${victim} killed after ${before} accepted, takes events in again after ${seconds} s`,
    );
  }
  await traffic.stop();
  const seconds = (Date.now() - startedAt) / 1000;
  const result = compare(traffic.accepted, await storedIds());
  console.log(
    `${result.accepted} accepted in ${seconds.toFixed(0)} s, ${result.missing} of them missing, ${result.repeated} stored ` +
      `more than once, ${result.unknown} stored unasked, ${traffic.refused} refused; ` +
      `${traffic.failedRequests} requests failed and were sent again`,
  );
  return result.accepted === 0 || result.missing + result.repeated + result.unknown + traffic.refused > 0;
}

function start() {
  return startService({
    databaseUrl: database.url,
    env: { CDP_ROLES: 'events', CDP_LOG_LEVEL: 'fatal' },
  });
}

async function killService() {
  if (service === undefined) throw new Error('There is no service to kill.');
  const { pid } = service;
  service = undefined;
  process.kill(pid, 'SIGKILL');
  service = await start();
}

/** Its processes notice, end, and a new first process recovers from the log: nobody else does that for it. */
async function killPostmaster() {
  const [pid] = await database.pids();
  process.kill(parentOf(pid), 'SIGKILL');
}

/** One backend that stores events is killed: the server ends all others and recovers from its log. */
async function crashPostgres() {
  const [{ pid }] = await database.query(
    `select pid from pg_stat_activity where application_name = 'cdp-service-intake' and datname = current_database()
     order by state = 'active' desc limit 1`,
  );
  process.kill(pid, 'SIGKILL');
}

/**
 * @param {number} count
 * @param {{ accepted: string[] }} traffic
 */
async function untilAcceptedMoreThan(count, traffic) {
  const until = Date.now() + 60_000;
  while (traffic.accepted.length <= count) {
    if (Date.now() > until) throw new Error('No event was accepted within a minute after the kill.');
    await delay(50);
  }
}

/** @returns {Promise<string[]>} */
async function storedIds() {
  const rows = await database.query(`select payload ->> 'messageId' as id from event`);
  return rows.map(({ id }) => id);
}

/**
 * @param {string[]} accepted
 * @param {string[]} stored
 */
function compare(accepted, stored) {
  const known = new Set(accepted);
  const found = new Set(stored);
  return {
    accepted: accepted.length,
    missing: accepted.filter((id) => !found.has(id)).length,
    repeated: stored.length - found.size,
    unknown: [...found].filter((id) => !known.has(id)).length,
  };
}

async function makeSource() {
  const writeKey = randomBytes(32).toString('hex');
  await database.query(
    'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
    [randomUUID(), 'kills', createHash('sha256').update(writeKey).digest(), ''],
  );
  return writeKey;
}
