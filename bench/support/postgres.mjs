// @ts-check
// A PostgreSQL for one benchmark: the embedded one with the settings of `npm start`, or one that is given.
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '#dist/platform/database/embedded/embedded-postgres';
import { runMigrations } from '#dist/platform/database/run-migrations';

/**
 * Starts or finds PostgreSQL and makes an empty, migrated database in it. With `keepIn`, a folder, the database stays
 * and is found again by the next run with the same migrations.
 * @param {string} [databaseUrl]
 * @param {{ keepIn?: string }} options
 */
export async function openBenchDatabase(databaseUrl, { keepIn } = {}) {
  const directory = databaseUrl === undefined ? folder(keepIn) : undefined;
  const embedded = directory === undefined ? undefined : await startEmbedded(directory);
  const serverUrl = databaseUrl ?? String(embedded?.url);
  const name = `bench_${keepIn === undefined ? randomUUID().replaceAll('-', '') : migrationsDigest()}`;
  const known = await query(serverUrl, 'select from pg_database where datname = $1', [name]);
  if (known.length === 0) await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await runMigrations(url.href);
  return {
    url: url.href,
    kind: embedded === undefined ? 'external PostgreSQL' : 'embedded PostgreSQL',
    isEmbedded: embedded !== undefined,
    query: (text, values) => query(url.href, text, values),
    /** Processes of this server, for CPU accounting; none when it is not on this machine. */
    pids: () => serverPids(url.href),
    close: async () => {
      if (keepIn === undefined) await query(serverUrl, `drop database ${name} with (force)`);
      await embedded?.stop();
      if (directory !== undefined && keepIn === undefined)
        rmSync(directory, { recursive: true, force: true });
    },
  };
}

function folder(keepIn) {
  const directory = keepIn === undefined ? mkdtempSync(join(tmpdir(), 'cdp-bench-')) : resolve(keepIn);
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755); // PostgreSQL may run as another user.
  return directory;
}

function migrationsDigest() {
  const from = fileURLToPath(new URL('../../dist/platform/database/migrations', import.meta.url));
  const digest = createHash('sha256');
  for (const file of readdirSync(from).toSorted()) {
    if (file.endsWith('.js')) digest.update(readFileSync(join(from, file)));
  }
  return digest.digest('hex').slice(0, 16);
}

function startEmbedded(directory) {
  return startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
  });
}

/**
 * The rows of one statement, on a connection of its own.
 * @param {string} url
 * @param {string} text
 * @param {any} [values]
 * @returns {Promise<any[]>}
 */
export async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  // A server that ends between two answers is told here; the query, or `end`, tells it to whoever waits.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function serverPids(url) {
  const rows = await query(url, 'select pid from pg_stat_activity where pid <> pg_backend_pid()');
  return rows.map(({ pid }) => pid);
}
