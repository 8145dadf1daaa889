// A PostgreSQL for one benchmark: the embedded one with the settings of `npm start`, or one that is given.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const require = createRequire(import.meta.url);
const dist = (file) => require(`../../dist/${file}.js`);

/** Starts or finds PostgreSQL and makes an empty, migrated database in it. */
export async function openBenchDatabase(databaseUrl) {
  const directory = databaseUrl === undefined ? mkdtempSync(join(tmpdir(), 'cdp-bench-')) : undefined;
  if (directory !== undefined) chmodSync(directory, 0o755); // PostgreSQL may run as another user.
  const embedded = directory === undefined ? undefined : await startEmbedded(directory);
  const serverUrl = databaseUrl ?? embedded.url;
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await dist('platform/database/run-migrations').runMigrations(url.href);
  return {
    url: url.href,
    kind: embedded === undefined ? 'external PostgreSQL' : 'embedded PostgreSQL',
    query: (text, values) => query(url.href, text, values),
    /** Processes of this server, for CPU accounting; none when it is not on this machine. */
    pids: () => serverPids(url.href),
    close: async () => {
      await query(serverUrl, `drop database ${name} with (force)`);
      await embedded?.stop();
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function startEmbedded(directory) {
  return dist('platform/database/embedded/embedded-postgres').startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
  });
}

async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function serverPids(url) {
  const rows = await query(url, 'select pid from pg_stat_activity');
  return rows.map(({ pid }) => pid);
}
