// A node of a Citus on this machine, killed and started again: for tests and soaks.
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Recovery reads the log first; and until the last process of the killed server has gone, a new one refuses. */
const REVIVAL_MS = 60_000;
const ATTEMPT_MS = 2_000;
const POLL_MS = 50;

/** Ends a node as a crash would. @returns what `reviveNode` asks for */
export async function killNode(url) {
  const [{ folder, pid }] = await queryNode(
    url,
    `select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as pid`,
  );
  process.kill(Number(pid.split('\n')[0]), 'SIGKILL');
  return { url, folder };
}

/** Starts it as it was started before; resolves when it answers. */
export async function reviveNode({ url, folder }) {
  const command = readFileSync(join(folder, 'postmaster.opts'), 'utf8').trim().replaceAll('"', '');
  const [program, ...args] = command.split(' ');
  // PostgreSQL runs as nobody else. Connections to other nodes look for certificates in the home of whoever this is.
  const { uid, gid } = statSync(folder);
  const env = { PATH: process.env.PATH, HOME: folder };
  const deadline = Date.now() + REVIVAL_MS;
  while (Date.now() < deadline) {
    spawn(program, args, { uid, gid, env, cwd: '/', detached: true, stdio: 'ignore' }).unref();
    if (await answers(url, Math.min(Date.now() + ATTEMPT_MS, deadline))) return;
  }
  throw new Error(`The node in ${folder} does not come back.`);
}

async function answers(url, deadline) {
  while (Date.now() < deadline) {
    try {
      await queryNode(url, 'select');
      return true;
    } catch {
      await delay(POLL_MS); // Starting, recovering, or refused because the old one has not gone.
    }
  }
  return false;
}

export async function queryNode(url, sql) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // The query says it.
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
