import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { Config } from '../../src/platform/config/config';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { DEFAULT_SCHEMA, inSchema } from '../../src/platform/database/schema';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A fresh database on the PostgreSQL of this test run, and a migrated schema in it. `CDP_TEST_DATABASE_SCHEMA` has tests
 * that do not care run in another one than `public`.
 */
export async function createTestDatabase(
  schema = process.env.CDP_TEST_DATABASE_SCHEMA ?? DEFAULT_SCHEMA,
): Promise<TestDatabase> {
  const { url, drop } = await createEmptyDatabase();
  return { url: await createTestSchema(url, schema), drop };
}

/** A migrated schema in a database; returns its address. */
export async function createTestSchema(databaseUrl: string, schema: string): Promise<string> {
  const url = inSchema(databaseUrl, schema);
  await runMigrations(url);
  await makeEventPartitions(url);
  return url;
}

export async function createEmptyDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env.CDP_TEST_DATABASE_URL;
  if (adminUrl === undefined) throw new Error('CDP_TEST_DATABASE_URL is not set: run through Jest.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(adminUrl, `drop database ${name} with (force)`) };
}

/** What a booting service does, for tests that work on the tables without one. */
async function makeEventPartitions(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await makePartitions(client, eventTables(Config.from({})), Date.now());
  } finally {
    await client.end();
  }
}

async function execute(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
