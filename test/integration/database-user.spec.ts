import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/platform/boot/migrate-database';
import { Config } from '../../src/platform/config/config';
import { createEmptyDatabase, createTestSchema, type TestDatabase } from '../support/test-database';

const PASSWORD = 'of-a-test';

describe('the user of PostgreSQL', () => {
  const suffix = randomUUID().slice(0, 8);
  const [owner, migrating, serving] = [`owner_${suffix}`, `migrate_${suffix}`, `serve_${suffix}`];
  let database: TestDatabase;
  let admin: Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`create role ${owner} nologin`);
    for (const user of [migrating, serving])
      await admin.query(`create role ${user} login password '${PASSWORD}'`);
  });
  afterAll(async () => {
    await admin.query(`drop owned by ${owner}, ${migrating}, ${serving} cascade`);
    await admin.query(`drop role ${owner}, ${migrating}, ${serving}`);
    await admin.end();
    await database.drop();
  });

  function urlOf(user: string): string {
    const url = new URL(database.url);
    url.username = user;
    url.password = PASSWORD;
    return url.href;
  }

  it('is told that it has to own the schema, where it has not the rights to migrate', async () => {
    const migrated = migrateDatabase(Config.from({ CDP_DATABASE_URL: urlOf(serving) }));
    await expect(migrated).rejects.toThrow(
      /cannot be used \(permission denied for schema public\): the user of CDP_DATABASE_URL has to own the schema/,
    );
  });

  it('may be one that migrates and one that serves, where both act as the owner of all tables', async () => {
    await admin.query(`create schema shop authorization ${owner}`);
    for (const user of [migrating, serving]) {
      await admin.query(`grant ${owner} to ${user}`);
      await admin.query(`alter role ${user} set role ${owner}`);
    }
    // The queue's schema is made beside it.
    await admin.query(`grant create on database ${admin.database} to ${owner}`);
    await migrateDatabase(Config.from({ CDP_DATABASE_URL: urlOf(migrating), CDP_DATABASE_SCHEMA: 'shop' }));
    // Partitions as well.
    await createTestSchema(urlOf(serving), 'shop');
    const { rows } = await admin.query<{ owner: string; count: number }>(
      `select tableowner as owner, count(*)::int as count from pg_tables where schemaname in ('shop', 'bullmq_shop') group by 1`,
    );
    expect(rows).toEqual([{ owner, count: expect.any(Number) }]);
  });
});
