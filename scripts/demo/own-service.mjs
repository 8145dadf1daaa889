// A service of the demo's own, as `npm start` runs it, on a data folder that is removed at the end.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** Builds if needed, starts the service and waits until it is ready. */
export async function startOwnService() {
  const build = fileURLToPath(new URL('../build-if-needed.mjs', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const dataFolder = mkdtempSync(join(tmpdir(), 'cdp-demo-'));
  chmodSync(dataFolder, 0o755);
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: '',
    HOST: '127.0.0.1',
    PORT: String(port),
    CDP_DATA_DIR: dataFolder,
  };
  for (const name of [
    'CDP_ROLES',
    'CDP_DATABASE_URL',
    'CDP_REDIS_URL',
    'CDP_JWT_JWKS_URL',
    'CDP_JWT_SECRET',
  ]) {
    env[name] = '';
  }
  env.CDP_LOG_LEVEL = 'error';
  const service = spawn(process.execPath, [join(dist, 'main.js')], {
    env,
    cwd: dataFolder,
    // In a group of its own: Ctrl-C goes to the demo, which then stops the service.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(service, 'exit');

  const stop = async () => {
    if (service.exitCode === null && service.signalCode === null) service.kill('SIGTERM');
    await ended;
    rmSync(dataFolder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, service);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${output}`, { cause: error });
  }
  const token = execFileSync(process.execPath, [join(dist, 'cli', 'token.js')], {
    env,
    encoding: 'utf8',
  }).trim();
  return { url, token, stop };
}

async function untilReady(url, service) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (await isReady(url)) return;
    if (service.exitCode !== null) throw new Error('The service ended while it started.');
    if (Date.now() > deadline) throw new Error('The service did not become ready.');
    await delay(50);
  }
}

export async function isReady(url) {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}
