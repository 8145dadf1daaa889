import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { freePort } from './free-port';

export interface TestServices {
  /** Undefined where the tests were given one. */
  postgres: TestPostgres | undefined;
  redis: ChildProcess | undefined;
}

declare global {
  // Shared with global-teardown.ts, which runs in the same process.
  var testServices: TestServices | undefined;
}

interface TestPostgres extends EmbeddedPostgres {
  /** Removed when the tests are done. */
  readonly directory: string;
}

/** Starts what all test files share: one PostgreSQL, unless one is given, and a Redis where there is one. */
export default async function globalSetup(): Promise<void> {
  Logger.overrideLogger(['error', 'fatal']);
  process.env.CDP_TEST_RUN = randomBytes(4).toString('hex');
  const postgres = process.env.CDP_TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
  const redis = process.env.CDP_TEST_REDIS_URL === undefined ? await startRedis() : undefined;
  globalThis.testServices = { postgres, redis };
}

async function startPostgres(): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-test-postgres-'));
  chmodSync(directory, 0o755); // PostgreSQL runs as another user when the tests run as root.
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'],
  });
  process.env.CDP_TEST_DATABASE_URL = postgres.url;
  return { ...postgres, directory };
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
