// @ts-check
// The built service as a process of its own.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { START_ARGS } from './start-args.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const BOOT_TIMEOUT_MS = 60_000;

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * Starts the service and waits until it listens. Without `databaseUrl` its environment says where PostgreSQL is.
 * `nodeArgs` may ask for a profile.
 * @param {{ databaseUrl?: string, env?: NodeJS.ProcessEnv, nodeArgs?: readonly string[] }} options
 */
export async function startService({ databaseUrl, env = {}, nodeArgs = [] }) {
  const port = await freePort();
  const child = spawn('node', [...START_ARGS, ...nodeArgs, join(root, 'dist/main.js')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      CDP_DATABASE_URL: databaseUrl,
      CDP_LOG_LEVEL: 'warn',
      CDP_ENCRYPTION_KEY: 'benchmark-encryption-key',
      CDP_JWT_SECRET: 'benchmark-jwt-secret',
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilListening(child, url);
  return {
    url,
    port,
    pid: /** @type {number} */ (child.pid), // It listens, so it has one.
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

async function untilListening(child, url) {
  const deadline = Date.now() + BOOT_TIMEOUT_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    try {
      await fetch(`${url}/health/live`);
      return;
    } catch {
      await delay(50);
    }
  }
  child.kill('SIGKILL');
  throw new Error('The service did not start.');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
