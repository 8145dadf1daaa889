import { openPool } from '../../src/platform/database/open-pool';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('openPool', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('survives that PostgreSQL ends a connection in the middle of a transaction', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    const admin = openPool({ connectionString: database.url, max: 1 });
    try {
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // Between two statements: nobody waits for an answer that could tell of it.
      const ended = new Promise((resolve) => client.once('end', resolve));
      await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await ended;
      await expect(client.query('select')).rejects.toThrow(/not queryable|terminat/);
      client.release(true);
      expect((await pool.query('select')).rowCount).toBe(1);
    } finally {
      await Promise.all([pool.end(), admin.end()]);
    }
  });
});
