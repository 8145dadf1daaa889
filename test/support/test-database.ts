import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { Config } from '../../src/platform/config/config';
import { runMigrations } from '../../src/platform/database/run-migrations';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh, migrated database on the PostgreSQL of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env.CDP_TEST_DATABASE_URL;
  if (adminUrl === undefined) throw new Error('CDP_TEST_DATABASE_URL is not set: run through Jest.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await runMigrations(url.href);
  await makeEventPartitions(url.href);
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
