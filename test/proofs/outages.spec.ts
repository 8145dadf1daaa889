import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { failureOf } from '../../src/platform/database/failure';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

jest.setTimeout(120_000);

/** What takes half a minute in earnest. */
jest.mock('../../src/platform/database/connections/silence', () => ({
  ...jest.requireActual<object>('../../src/platform/database/connections/silence'),
  MAX_SILENCE_MS: 2_000,
}));

describe('an outage of PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: TestService;
  let api: ApiClient;
  let writeKey: string;
  let admin: Client;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port));
    url.port = String(proxy.port);
    service = await startTestService({ databaseUrl: url.href, env: { CDP_LOG_LEVEL: 'silent' } });
    api = await anApiClient(service);
    writeKey = (await api.post('/sources', { name: 'Shop' })).body.writeKey;
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    receiver = await Receiver.start();
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
    await admin.end();
    await proxy.close();
    await database.drop();
  });

  /** All connections of the service begin anew, with what the database is set to now. */
  async function reconnectAll(): Promise<void> {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  }

  it('is a 503 where PostgreSQL can only be read', async () => {
    const set = `alter database ${admin.database} set default_transaction_read_only`;
    await admin.query(`${set} = on`);
    await reconnectAll();
    await eventually(async () => {
      expect(await api.post('/sources', { name: 'Read-only' })).toMatchObject({
        status: 503,
        body: { code: 'dependency_down' },
      });
      expect(await sendTracks({ url: service.url, writeKey }, ['read-only'])).toBe(503);
      expect((await api.get('/sources')).status).toBe(200);
    });
    await admin.query(`${set} = off`);
    await reconnectAll();
    await eventually(async () => {
      expect((await api.post('/sources', { name: 'Writable' })).status).toBe(201);
      expect(await sendTracks({ url: service.url, writeKey }, ['read-only'])).toBe(200);
    });
  });

  it('is a 503 on the Management API wherever in a request the connection is lost', async () => {
    const statuses = new Set<number>();
    let created = 0;
    const stop = new AbortController();
    const operator = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const { status } = await api.post('/sources?allowDuplicate=true', { name: 'Created in a storm' });
        statuses.add(status);
        if (status === 201) created += 1;
      }
    };
    const operators = Array.from({ length: 8 }, operator);
    try {
      for (let round = 0; round < 10; round += 1) {
        const before = created;
        await eventually(() => expect(created).toBeGreaterThan(before + 10));
        await proxy.cut();
        await proxy.restore();
      }
    } finally {
      stop.abort();
      await Promise.all(operators);
    }
    expect(statuses).toEqual(new Set([201, 503]));
  });

  const ready = async (): Promise<number> => (await fetch(`${service.url}/health/ready`)).status;

  async function untilDelivered(messageIds: readonly string[]): Promise<void> {
    await eventually(() => {
      const arrived = receiver.received.map(({ body }) => JSON.parse(body).messageId);
      expect(arrived).toEqual(expect.arrayContaining([...messageIds]));
    }, 60_000);
  }

  it('is over when PostgreSQL answers new connections, though the old ones are silent for ever', async () => {
    const target = { url: service.url, writeKey };
    expect(await sendTracks(target, ['heard-1', 'heard-2'])).toBe(200);
    await untilDelivered(['heard-1', 'heard-2']);

    // Whatever the service is at meanwhile hangs: reception, processing, sending, the sweepers, requests of operators.
    const sending = Array.from({ length: 5 }, (_, index) => sendTracks(target, [`while-${index}`]));
    const asking = Array.from({ length: 5 }, (_, index) => api.post('/sources', { name: `While ${index}` }));
    proxy.silence();
    await eventually(async () => expect(await ready()).toBe(503), 10_000);

    proxy.forget();
    await eventually(async () => expect(await ready()).toBe(200), 10_000);
    const acknowledged = (await Promise.all(sending)).flatMap((status, index) => {
      expect([200, 503]).toContain(status);
      return status === 200 ? [`while-${index}`] : [];
    });
    for (const { status } of await Promise.all(asking)) expect([201, 503]).toContain(status);
    await eventually(async () => expect(await sendTracks(target, ['after-1', 'after-2'])).toBe(200), 20_000);
    await untilDelivered([...acknowledged, 'after-1', 'after-2']);
    await eventually(async () => expect((await api.get('/sources')).status).toBe(200));
  });

  it('is not what a statement is taken for that may take long', async () => {
    const sleep = { name: 'sleep', text: 'select 1 as slept, pg_sleep(3)' };
    const pool = service.app.get(Database);
    expect(failureOf(await pool.query(sleep).catch((error: unknown) => error))).toBe('outage');
    expect(await pool.query({ ...sleep, limitMs: 60_000 })).toMatchObject([{ slept: 1 }]);
  });
});
