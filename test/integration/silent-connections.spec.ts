import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Client } from 'pg';
import { endWhenSilent } from '../../src/platform/database/connections/silence';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const MAX_SILENCE_MS = 200;

describe('a connection that PostgreSQL says nothing on', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    endWhenSilent(client, MAX_SILENCE_MS);
  });
  afterEach(() => client.end());
  afterAll(() => database.drop());

  const socket = (): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream;

  it('is kept when its answer came while the process did not run', async () => {
    const answer = client.query('select 1 as one');
    await turn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * MAX_SILENCE_MS);
    expect((await answer).rows).toEqual([{ one: 1 }]);
  });

  it('is kept when it only listens, as that of an idle worker of the queue', async () => {
    await client.query('listen jobs');
    await once(socket(), 'timeout');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('is given up when it owes an answer', async () => {
    await expect(client.query('select pg_sleep(60)')).rejects.toThrow('says nothing for 200 ms');
  });
});
