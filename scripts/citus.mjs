// node scripts/citus.mjs start|stop [--in /tmp/cdp-citus] [--port 5510] [--bin /usr/lib/postgresql/15/bin]
// A Citus for tests on this machine: a coordinator on the port, and two workers on the next two. Says what CDP_TEST_CITUS_URL
// has to be. What it keeps may be lost: nothing is synchronised to the disk.
// node scripts/citus.mjs kill <url of a node>, and with the folder that this says: revive <url> <folder>
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killNode, queryNode, reviveNode } from './citus-node.mjs';

const NODES = ['coordinator', 'worker-1', 'worker-2'];
const SETTINGS = [
  'shared_preload_libraries = citus',
  // To move schemas.
  'wal_level = logical',
  'max_connections = 300',
  // A test database has all tables of a service for each of its schemas.
  'max_locks_per_transaction = 1024',
  // Each test database has a daemon of Citus.
  'max_worker_processes = 64',
  'fsync = off',
  'full_page_writes = off',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: 'string', default: '/tmp/cdp-citus' },
    port: { type: 'string', default: '5510' },
    bin: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
  },
});
const folder = resolve(values.in);
const portOf = (node) => Number(values.port) + NODES.indexOf(node);
const urlOf = (node) => `postgres://postgres@127.0.0.1:${portOf(node)}/postgres`;

const [command, url, killedFolder] = positionals;
if (command === 'start') await start();
else if (command === 'stop') stop();
else if (command === 'kill') console.log((await killNode(url)).folder);
else if (command === 'revive') await reviveNode({ url, folder: killedFolder });
else fail('Say start, stop, kill or revive.');

async function start() {
  const isNew = !existsSync(folder);
  if (isNew) initialise();
  for (const node of NODES)
    run('pg_ctl', '-w', '-D', join(folder, node), '-l', join(folder, `${node}.log`), 'start');
  if (isNew) await makeOneOfThem();
  console.log(`CDP_TEST_CITUS_URL=${urlOf('coordinator')}`);
}

function stop() {
  for (const node of NODES) run('pg_ctl', '-w', '-m', 'fast', '-D', join(folder, node), 'stop');
}

function initialise() {
  mkdirSync(folder, { mode: 0o755 });
  if (process.getuid() === 0) spawnSync('chown', ['postgres', folder]);
  for (const node of NODES) {
    run('initdb', '-D', join(folder, node), '-U', 'postgres', '--auth', 'trust', '-N');
    const settings = [...SETTINGS, `port = ${portOf(node)}`, `unix_socket_directories = '${folder}'`];
    appendFileSync(join(folder, node, 'postgresql.conf'), `${settings.join('\n')}\n`);
  }
}

/** Makes one Citus of the three. */
async function makeOneOfThem() {
  for (const node of NODES) await queryNode(urlOf(node), 'create extension citus');
  const add = (node) => `citus_add_node('127.0.0.1', ${portOf(node)})`;
  await queryNode(
    urlOf('coordinator'),
    `select citus_set_coordinator_host('127.0.0.1', ${portOf('coordinator')}), ${add('worker-1')}, ${add('worker-2')}`,
  );
}

/** PostgreSQL does not run as root. */
function run(program, ...args) {
  const command = [join(values.bin, program), ...args];
  const [first, ...rest] = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  const { status, stderr, error } = spawnSync(first, rest, {
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) fail(`${command.join(' ')}: ${error?.message ?? stderr}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
