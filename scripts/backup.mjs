// npm run backup -- --to <folder> [--data-dir .data]
// Copies the embedded PostgreSQL while it runs, and the secrets beside it. The folder is then a data folder: restoring is starting
// the service with CDP_DATA_DIR set to (a copy of) it. For a PostgreSQL of your own use pg_basebackup or pg_dump.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

// Of the running server, not of its data (PostgreSQL, "Making a Base Backup Using the Low Level API").
const NOT_DATA = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
]);
const EMPTY_FOLDERS = ['pg_replslot', 'pg_dynshmem', 'pg_notify'];

// As the service does, so that both mean the same data folder.
if (existsSync('.env')) process.loadEnvFile('.env');
const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    'data-dir': { type: 'string', default: process.env.CDP_DATA_DIR || '.data' },
    'database-url': { type: 'string' },
  },
});
if (values.to === undefined) fail('Say where to: npm run backup -- --to <folder>');
const source = resolve(values['data-dir']);
const target = resolve(values.to);
const cluster = join(source, 'postgres');
if (!existsSync(join(cluster, 'postmaster.pid')))
  fail(`No PostgreSQL runs in ${cluster}: start the service first.`);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`);

const client = new pg.Client({ connectionString: values['database-url'] ?? urlOf(source) });
await client.connect();
try {
  const first = await query("select pg_walfile_name(pg_backup_start('cdp', true)) as file");
  mkdirSync(target, { recursive: true });
  copyAll(source, target, (name) => name !== 'postgres' && !name.endsWith('.lock'));
  copyAll(cluster, join(target, 'postgres'), (name) => !NOT_DATA.has(name));
  for (const folder of EMPTY_FOLDERS) make(join(target, 'postgres', folder));
  const { labelfile, last } = await query(
    'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
  );
  writeFileSync(join(target, 'postgres', 'backup_label'), labelfile);
  copyWal(first.file, last);
  ownLike(cluster, join(target, 'postgres'));
  console.log(`Backed up to ${target}.`);
} finally {
  await client.end();
}

async function query(text) {
  return (await client.query(text)).rows[0];
}

/** The log of the time of the copy: replaying it makes the copy whole. */
function copyWal(first, last) {
  const folder = make(join(target, 'postgres', 'pg_wal'));
  make(join(folder, 'archive_status'));
  const files = readdirSync(join(cluster, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name));
  if (!files.includes(first)) fail(`${first} is gone already: set wal_keep_size and try again.`);
  for (const name of files)
    if (name >= first && name <= last) cpSync(join(cluster, 'pg_wal', name), join(folder, name));
}

function copyAll(from, to, wanted) {
  make(to);
  for (const name of readdirSync(from).filter(wanted)) copy(join(from, name), join(to, name));
}

/** What is deleted while it is copied was not needed: the log says so. */
function copy(from, to) {
  try {
    if (!statSync(from).isDirectory()) return void cpSync(from, to);
    make(to);
    for (const name of readdirSync(from)) copy(join(from, name), join(to, name));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function make(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** PostgreSQL runs as the owner of its folder. */
function ownLike(model, path) {
  const { uid, gid } = statSync(model);
  if (process.getuid?.() !== 0) return;
  chownSync(path, uid, gid);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) ownLike(model, join(path, name));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Port and password of the running server, which both lie in its folder. */
function urlOf(dataFolder) {
  const port = readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(dataFolder, 'postgres', 'service-password'), 'utf8').trim();
  return `postgres://cdp:${password}@127.0.0.1:${port}/cdp`;
}
