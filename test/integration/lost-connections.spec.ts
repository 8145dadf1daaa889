import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { shareLockRevision } from '../../src/segments/definitions/revision';
import { eventually } from '../support/eventually';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the connections to PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('hold no locks for long when their process has fallen silent in a transaction', async () => {
    const silent = new Database(Config.from({ CDP_DATABASE_URL: database.url }));
    const limit = 'show idle_in_transaction_session_timeout';
    try {
      expect(await silent.transaction((tx) => tx.query(limit))).toEqual([
        { idle_in_transaction_session_timeout: '30s' },
      ]);
      expect(await silent.query(limit)).toEqual([{ idle_in_transaction_session_timeout: '30s' }]);
      // As PostgreSQL does when that time has passed.
      const cut = silent.transaction(async (tx) => {
        await tx.query(`set local idle_in_transaction_session_timeout = 1`);
        await eventually(() =>
          expect(tx.query('select')).rejects.toThrow(/not queryable|terminat|ECONNRESET|EPIPE/),
        );
      });
      await expect(cut).rejects.toThrow(/not queryable|terminat|ECONNRESET|EPIPE/);
      expect(await silent.query('select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await silent.close();
    }
  });

  it('write times that can be read, whatever style the database has', async () => {
    const admin = openPool({ connectionString: database.url, max: 1 });
    const { rows } = await admin.query<{ name: string }>('select current_database() as name');
    await admin.query(`alter database ${rows[0]!.name} set datestyle = 'German'`);
    const styled = new Database(Config.from({ CDP_DATABASE_URL: database.url }));
    try {
      const { now } = await styled.transaction(shareLockRevision);
      expect(Date.parse(now)).not.toBeNaN();
    } finally {
      await styled.close();
      await admin.query(`alter database ${rows[0]!.name} reset datestyle`);
      await admin.end();
    }
  });

  it('migrate for as long as it takes, however short statements are for the role or the database', async () => {
    const empty = await createEmptyDatabase();
    const admin = openPool({ connectionString: empty.url, max: 1 });
    try {
      const { rows } = await admin.query<{ name: string }>('select current_database() as name');
      await admin.query(`alter database ${rows[0]!.name} set statement_timeout = 300`);
      // The migrations of the service make one view, and those of the queues one schema.
      await admin.query(`
        create function take_long() returns event_trigger language plpgsql as $$ begin perform pg_sleep(0.4); end $$;
        create event trigger take_long on ddl_command_start when tag in ('CREATE VIEW', 'CREATE SCHEMA')
          execute function take_long()`);
      await runMigrations(empty.url);
      expect((await admin.query('select from segment_revision')).rowCount).toBe(1);
    } finally {
      await admin.end();
      await empty.drop();
    }
  });

  it('survive that PostgreSQL ends a connection in the middle of a transaction', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    const admin = openPool({ connectionString: database.url, max: 1 });
    try {
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // Between two statements: nobody waits for an answer that could tell of it.
      const ended = new Promise((resolve) => client.once('end', resolve));
      await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await ended;
      await expect(client.query('select')).rejects.toThrow(/not queryable|terminat|ECONNRESET|EPIPE/);
      client.release(true);
      expect((await pool.query('select')).rowCount).toBe(1);
    } finally {
      await Promise.all([pool.end(), admin.end()]);
    }
  });
});
