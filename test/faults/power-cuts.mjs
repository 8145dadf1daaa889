// @ts-check
// npm run test:power -- [--rounds 5]: as root, on Linux. Each round starts the service on a new disk (a file), lets clients
// send, and at a random moment of the first half minute stops everything and copies what had reached the disk: what only
// the page cache held is gone, as in a power cut. Then the service starts on the copy, and every 200 is held against the
// event table. A token of before the cut has to be known, too.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTraffic } from '../../bench/soak/traffic.mjs';
import { startService } from '../../bench/support/service.mjs';
import { Client } from 'pg';

const DISK = '3G';
const LATEST_CUT_MS = 30_000;
const PERIODIC_WRITING = '/proc/sys/vm/dirty_writeback_centisecs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
if (process.getuid?.() !== 0) {
  console.error('Mounting a disk needs root.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'cdp-power-'));
chmodSync(folder, 0o755); // PostgreSQL runs as another user.
const disk = join(folder, 'disk');
const copy = join(folder, 'copy');
const mount = join(folder, 'mount');
mkdirSync(mount);
let failed = false;
try {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    // Half of the cuts fall into the first seconds, when everything has just been made.
    const cutAfterMs = Math.round(Math.random() ** 2 * LATEST_CUT_MS);
    const result = await cutAndCount(cutAfterMs);
    failed ||= result.accepted === 0 || result.missing > 0 || result.tokenStatus !== 200;
    console.log(
      `round ${round}: cut ${cutAfterMs} ms after the first event, ${result.accepted} accepted, ` +
        `${result.missing} of them missing, the token of before the cut: ${result.tokenStatus}`,
    );
  }
} finally {
  detach();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** @param {number} cutAfterMs */
async function cutAndCount(cutAfterMs) {
  rmSync(disk, { force: true });
  run('truncate', '-s', DISK, disk);
  run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk);
  attach(disk);
  const before = await start();
  const token = run('node', 'dist/cli/token.js').trim();
  const source = await call(before, token, 'POST', '/sources', { name: 'power' });
  const { writeKey } = /** @type {{ writeKey: string }} */ (await source.json());
  const traffic = startTraffic({
    urls: () => [before.url],
    writeKey,
    eventsPerSecond: 400,
  });
  while (traffic.accepted.length === 0) await delay(10);
  await delay(cutAfterMs);
  // What was answered before is what counts.
  const accepted = [...traffic.accepted];
  traffic.stopped = true;
  await cutPower(before);
  attach(copy);
  const after = await start();
  try {
    const { status: tokenStatus } = await call(after, token, 'GET', '/sources');
    const stored = await storedIds();
    return {
      accepted: accepted.length,
      missing: accepted.filter((id) => !stored.has(id)).length,
      tokenStatus,
    };
  } finally {
    await after.stop();
    detach();
  }
}

function start() {
  return startService({ env: environment() });
}

/** As `npm start` has it: everything is made in the data folder. */
function environment() {
  return {
    CDP_DATABASE_URL: undefined,
    CDP_ENCRYPTION_KEY: undefined,
    CDP_JWT_SECRET: undefined,
    CDP_DATA_DIR: join(mount, 'data'),
    CDP_LOG_LEVEL: 'fatal',
  };
}

/**
 * @param {{ url: string }} service
 * @param {string} token
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
function call({ url }, token, method, path, body) {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** @param {string} image */
function attach(image) {
  // With a long interval of commits nothing is written but what somebody synced, or what grew old.
  run('mount', '-o', 'loop,commit=300', image, mount);
}

/**
 * Everything stands still while what has reached the disk is copied. Then it is killed.
 * @param {{ pid: number }} service
 */
async function cutPower(service) {
  const server = postmaster().pid;
  // The server's other processes end with their first one.
  const stopped = [service.pid, server, ...childrenOf(server)];
  signalAll('STOP', stopped);
  const interval = readFileSync(PERIODIC_WRITING, 'utf8');
  writeFileSync(PERIODIC_WRITING, '0');
  run('cp', '--sparse=always', disk, copy);
  writeFileSync(PERIODIC_WRITING, interval);
  signalAll('KILL', stopped);
  // Nothing starts beside a process with the number of its last one.
  while (stopped.some((pid) => existsSync(`/proc/${pid}`))) await delay(50);
  detach();
}

/**
 * One that has ended by itself meanwhile is no error.
 * @param {'STOP' | 'KILL'} signal
 * @param {number[]} pids
 */
function signalAll(signal, pids) {
  spawnSync('kill', ['-s', signal, ...pids.map(String)]);
}

/** @param {number} pid */
function childrenOf(pid) {
  const { stdout } = spawnSync('pgrep', ['--parent', `${pid}`], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function detach() {
  spawnSync('umount', ['--lazy', mount]);
}

function postmaster() {
  const [pid, , , port] = readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(pid), port: Number(port) };
}

function cluster() {
  return realpathSync(join(mount, 'data/postgres'));
}

async function storedIds() {
  const password = readFileSync(join(cluster(), 'service-password'), 'utf8');
  const client = new Client({
    host: '127.0.0.1',
    port: postmaster().port,
    user: 'cdp',
    password,
    database: 'cdp',
  });
  await client.connect();
  const { rows } = await client.query(`select payload ->> 'messageId' as id from event`);
  await client.end();
  return new Set(rows.map(({ id }) => id));
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  return execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, ...environment() } });
}
