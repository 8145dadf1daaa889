import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';

const ROOT = join(__dirname, '..', '..');
const START_TIMEOUT_MS = 60_000;

/** The service as people run it: a process of its own, from `dist/`. */
export interface BuiltService {
  readonly process: ChildProcess;
  readonly url: string;
  /** All it has printed so far. */
  output(): string;
  /** Resolves to the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** SIGTERM, and wait. */
  stop(): Promise<number | string>;
  /** SIGKILL, and wait. */
  kill(): Promise<number | string>;
}

/** Builds `dist/` if it is not up to date. Call it in `beforeAll`; it may take ten seconds. */
export function buildService(): void {
  build();
}

/** Builds the page of the console alone, for a service that runs from its sources. */
export function buildConsole(): void {
  build('--page');
}

function build(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-if-needed.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The build failed: ${stderr}`);
}

/** Where the service is, when it is not this one, and where it is started. */
export interface Place {
  readonly root: string;
  readonly cwd: string;
}

// Not where a developer may keep a file `.env`.
const HERE: Place = { root: ROOT, cwd: tmpdir() };

/** Launches the service with just these variables; does not wait for anything. */
export async function launchService(
  env: Record<string, string>,
  { root, cwd } = HERE,
): Promise<BuiltService> {
  const port = env.PORT ?? String(await freePort());
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    cwd,
    env: { PATH: process.env.PATH, PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const send = (signal: NodeJS.Signals) => () => {
    child.kill(signal);
    return ended;
  };
  return {
    process: child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    ended,
    stop: send('SIGTERM'),
    kill: send('SIGKILL'),
  };
}

/** Launches the service and waits until it is ready. */
export async function startBuiltService(
  env: Record<string, string>,
  place: Place = HERE,
): Promise<BuiltService> {
  const service = await launchService(env, place);
  await eventually(() => {
    if (service.process.exitCode !== null) return;
    if (!service.output().includes('is ready')) throw new Error(`Not ready: ${service.output()}`);
  }, START_TIMEOUT_MS);
  if (service.process.exitCode !== null) throw new Error(`It ended: ${service.output()}`);
  return service;
}

/** An empty data folder of the test's own. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'cdp-test-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The process id of the embedded PostgreSQL in a data folder. @throws while it has not written it, or none runs. */
export function postmasterOf(dataFolder: string): number {
  const pidFile = join(dataFolder, 'postgres', 'postmaster.pid');
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // PostgreSQL makes the file first, and writes into it then.
  if (pid === 0) throw new Error(`${pidFile} is empty`);
  return pid;
}
