import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations as runQueueMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './connections/data-source';
import { distributeSchema } from './distribute-schema';
import { isUniqueViolation } from './failure';
import { CONNECTION_DEFAULTS } from './connections/open-pool';
import { DEFAULT_SCHEMA, queueSchemaOf, schemaOf } from './connections/schema';

/**
 * Any constant will do, as long as every version of the service uses the same one. The schemas of a database take turns,
 * too: what makes an index concurrently waits for all transactions, and two of them would wait for each other.
 */
const MIGRATION_LOCK_KEY = 4_271_965_001;
const LOCK_POLL_MS = 100;

/**
 * Brings the schema of the address up to this version: our tables, and beside it those of BullMQ's PostgreSQL backend.
 * Any number of processes may call this at once: one works, the others wait for it.
 *
 * The lock is polled, because a session that waits inside `pg_advisory_lock` holds a snapshot, which would
 * deadlock with a migration that creates an index concurrently.
 */
export async function runMigrations(databaseUrl: string): Promise<void> {
  const client = new Client({
    ...CONNECTION_DEFAULTS,
    connectionString: databaseUrl,
    application_name: 'cdp-service-migrations',
  });
  client.on('error', () => undefined); // Reported by the query that meets it.
  try {
    await client.connect();
    await makeSchema(client, schemaOf(databaseUrl));
    while (!(await tryLock(client))) await delay(LOCK_POLL_MS);
    // A migration may take as long as it takes.
    const dataSource = new DataSource({ ...dataSourceOptions(databaseUrl), extra: CONNECTION_DEFAULTS });
    await dataSource.initialize();
    try {
      await dataSource.runMigrations();
    } finally {
      await dataSource.destroy();
    }
    await distributeSchema(client, schemaOf(databaseUrl));
    // Even with nothing to do it alters a table, which would wait for as long as a pg_dump takes.
    const queueSchema = queueSchemaOf(schemaOf(databaseUrl));
    if ((await queueVersion(client, queueSchema)) < LATEST_SCHEMA_VERSION)
      await runQueueMigrations(client, queueSchema);
  } finally {
    await client.end();
  }
}

/** Whoever may not make schemas can be given one that exists. */
async function makeSchema(client: Client, schema: string): Promise<void> {
  if (schema === DEFAULT_SCHEMA) return;
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (rowCount !== 0) return;
  await client.query(`create schema if not exists "${schema}"`).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error; // Another process has made it in this moment.
  });
}

/** The version of the queue's schema; 0 when there is none yet. */
async function queueVersion(client: Client, schema: string): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, schema);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    MIGRATION_LOCK_KEY,
  ]);
  return rows[0]?.locked === true;
}
