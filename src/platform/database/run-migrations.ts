import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations as runQueueMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type { Client, ClientBase } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './connections/data-source';
import { distributeSchema } from './distribute-schema';
import { isUniqueViolation } from './failure';
import { CONNECTION_DEFAULTS, LONG_SESSION } from './connections/open-pool';
import { withOwnConnection } from './connections/own-connection';
import { DEFAULT_SCHEMA, queueSchemaOf, schemaOf } from './connections/schema';

/**
 * Any constant will do, as long as every version of the service uses the same one. The schemas of a database take
 * turns, too: what makes an index concurrently waits for all transactions, and two of them would wait for each other.
 */
const MIGRATION_LOCK_KEY = 4_271_965_001;
const LOCK_POLL_MS = 100;
/** Until it is said that another process is at it. */
const SAY_AFTER_MS = 5_000;
const logger = new Logger('Migrations');

/**
 * Brings the schema of the address up to this version: our tables, and beside it those of BullMQ's PostgreSQL backend.
 * Any number of processes may call this at once: one works, the others wait for it.
 *
 * The lock is polled, because a session that waits inside `pg_advisory_lock` holds a snapshot, which would
 * deadlock with a migration that creates an index concurrently.
 */
export function runMigrations(databaseUrl: string): Promise<void> {
  return withOwnConnection(databaseUrl, 'cdp-service-migrations', async (client) => {
    await makeSchema(client, schemaOf(databaseUrl));
    await waitForLock(client);
    const extra = {
      ...CONNECTION_DEFAULTS,
      onConnect: (connection: ClientBase) => connection.query(LONG_SESSION),
    };
    const dataSource = new DataSource({ ...dataSourceOptions(databaseUrl), extra });
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
  });
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

async function waitForLock(client: Client): Promise<void> {
  const from = performance.now();
  let isSaid = false;
  while (!(await tryLock(client))) {
    await delay(LOCK_POLL_MS);
    if (isSaid || performance.now() - from < SAY_AFTER_MS) continue;
    isSaid = true;
    logger.log('Another process migrates this database: waiting for it');
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    MIGRATION_LOCK_KEY,
  ]);
  return rows[0]?.locked === true;
}
