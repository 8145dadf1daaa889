import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { Config } from '../../src/platform/config/config';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { DEFAULT_SCHEMA, inSchema } from '../../src/platform/database/connections/schema';
import { createCitusDatabase, dropCitusDatabase, isCitus } from './citus-database';

/** Of this run: another one may be of other migrations. */
const TEMPLATE_PREFIX = `cdp_template_${process.env.CDP_TEST_RUN}_`;

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A fresh database on the PostgreSQL of this test run, and a migrated schema in it. `CDP_TEST_DATABASE_SCHEMA` has tests
 * that do not care run in another one than `public`. Migrations run once for all of them: it is a copy.
 */
export async function createTestDatabase(
  schema = process.env.CDP_TEST_DATABASE_SCHEMA ?? DEFAULT_SCHEMA,
): Promise<TestDatabase> {
  if (await isCitus(adminUrl())) {
    // Nobody copies what is on several nodes.
    const { url, drop } = await createEmptyDatabase();
    return { url: await createTestSchema(url, schema), drop };
  }
  const { url, drop } = await createEmptyDatabase(await templateWith(schema));
  return { url: inSchema(url, schema), drop };
}

/** A test database with a connection to it, which `drop` ends. */
export interface ConnectedDatabase extends TestDatabase {
  readonly client: Client;
}

/** The same as {@link createTestDatabase}, for tests that send statements of their own. */
export async function connectTestDatabase(): Promise<ConnectedDatabase> {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  const end = async (): Promise<void> => {
    await client.end();
    await drop();
  };
  return { url, client, drop: end };
}

/** A migrated schema in a database; returns its address. */
export async function createTestSchema(databaseUrl: string, schema: string): Promise<string> {
  const url = inSchema(databaseUrl, schema);
  await runMigrations(url);
  await makeEventPartitions(url);
  return url;
}

/** A database to copy, which the first that asks for it makes. */
async function templateWith(schema: string): Promise<string> {
  const name = `${TEMPLATE_PREFIX}${schema}`;
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await admin.query(
      'select from pg_database where datname = $1 and not datallowconn',
      [name],
    );
    if (rowCount === 1) return;
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await createTestSchema(urlOf(name), schema);
    // Nobody may be connected to what is copied, autovacuum neither.
    await admin.query(`alter database ${name} with allow_connections false`);
  });
  return name;
}

export async function createEmptyDatabase(template = 'template1'): Promise<TestDatabase> {
  if (await isCitus(adminUrl())) return createEmptyCitus(adminUrl());
  const name = newName();
  await asAdmin((admin) => admin.query(`create database ${name} template ${template}`));
  const drop = async (): Promise<void> => {
    await asAdmin((admin) => admin.query(`drop database ${name} with (force)`));
  };
  return { url: urlOf(name), drop };
}

/** An empty database on each node of a Citus. */
export async function createEmptyCitus(coordinatorUrl: string): Promise<TestDatabase> {
  const name = newName();
  await createCitusDatabase(coordinatorUrl, name);
  return {
    url: urlOf(name, coordinatorUrl),
    drop: () => dropCitusDatabase(coordinatorUrl, name),
  };
}

function newName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}

function urlOf(database: string, server = adminUrl()): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function adminUrl(): string {
  const url = process.env.CDP_TEST_DATABASE_URL;
  if (url === undefined) throw new Error('CDP_TEST_DATABASE_URL is not set: run through Jest.');
  return url;
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

async function asAdmin(work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** Drops what {@link createTestDatabase} has copied, on a PostgreSQL that goes on. */
export async function dropTemplates(): Promise<void> {
  await asAdmin(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [TEMPLATE_PREFIX],
    );
    for (const { name } of rows) await admin.query(`drop database ${name}`);
  });
}
