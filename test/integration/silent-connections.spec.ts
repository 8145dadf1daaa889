import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Client } from 'pg';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { withOwnConnection } from '../../src/platform/database/connections/own-connection';
import { doubtConnections, endWhenSilent } from '../../src/platform/database/connections/silence';
import { startTcpProxy } from '../support/tcp-proxy';
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

  it('is given up while it is being opened when PostgreSQL is in doubt', async () => {
    const target = new URL(database.url);
    const proxy = await startTcpProxy(target.hostname, Number(target.port));
    target.host = `127.0.0.1:${proxy.port}`;
    const pool = openPool({ connectionString: target.href });
    try {
      await pool.query('select');
      proxy.silence();
      const answers = Promise.allSettled([
        pool.query('select'),
        pool.query('select'),
        withOwnConnection(target.href, 'own', () => Promise.resolve()),
      ]);
      await turn();
      doubtConnections(performance.now());
      const silent = { reason: { message: expect.stringContaining('is silent after an outage') } };
      expect(await answers).toMatchObject([silent, silent, silent]);
    } finally {
      await pool.end();
      await proxy.close();
    }
  });
});
