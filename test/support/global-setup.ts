import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { freePort } from './free-port';

export interface TestServices {
  postgres: EmbeddedPostgres;
  redis: ChildProcess | undefined;
}

declare global {
  // Shared with global-teardown.ts, which runs in the same process.
  var testServices: TestServices | undefined;
}

/** Starts what all test files share: one PostgreSQL, and a Redis where there is one. */
export default async function globalSetup(): Promise<void> {
  const postgres = await startEmbeddedPostgres({
    directory: mkdtempSync(join(tmpdir(), 'cdp-test-postgres-')),
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  });
  process.env.CDP_TEST_DATABASE_URL = postgres.url;
  const redis = process.env.CDP_TEST_REDIS_URL === undefined ? await startRedis() : undefined;
  globalThis.testServices = { postgres, redis };
  const redisUrl = process.env.CDP_TEST_REDIS_URL;
  process.stdout.write(
    redisUrl === undefined
      ? '\nQueue backends under test: PostgreSQL (no CDP_TEST_REDIS_URL and no redis-server on the PATH)\n'
      : '\nQueue backends under test: PostgreSQL, Redis\n',
  );
}

async function startRedis(): Promise<ChildProcess | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  process.env.CDP_TEST_REDIS_URL = `redis://127.0.0.1:${port}`;
  return redis;
}
