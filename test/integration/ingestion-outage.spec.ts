import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { eventually } from '../support/eventually';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

const SENDERS = 8;

describe('the Events API while PostgreSQL goes away and comes back', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: TestService;
  let authorization: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { writeKey } = await aSource(database.url);
    authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    const url = new URL(database.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port));
    url.port = String(proxy.port);
    service = await startTestService({
      databaseUrl: url.href,
      env: { CDP_ROLES: 'events', CDP_LOG_LEVEL: 'silent' },
    });
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    await database.drop();
  });

  async function send(messageId: string, signal?: AbortSignal): Promise<Response> {
    const event = { type: 'track', event: 'e', userId: 'u', messageId, timestamp: '2026-11-20T12:00:00Z' };
    return fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      signal: signal ?? null,
      headers: { authorization },
      body: JSON.stringify({ batch: [event] }),
    });
  }

  async function storedMessageIds(): Promise<string[]> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(`select payload->>'messageId' as id from event`);
    await client.end();
    return rows.map(({ id }) => id);
  }

  it('is over for senders when readiness says so, though the connections of before are silent for ever', async () => {
    const ready = async (): Promise<number> => (await fetch(`${service.url}/health/ready`)).status;
    expect((await send('before')).status).toBe(200);
    await eventually(async () => expect(await ready()).toBe(200));
    proxy.silence();
    const hanging = Array.from({ length: 4 }, (_, index) => send(`meanwhile-${index}`));
    await eventually(async () => expect(await ready()).toBe(503));
    proxy.forget();
    await eventually(async () => expect(await ready()).toBe(200));
    // Half of what a commit of events has.
    const inTime = AbortSignal.timeout(7_500);
    await eventually(async () => expect((await send('after', inTime)).status).toBe(200), 7_500);
    for (const { status } of await Promise.all(hanging)) expect([200, 503]).toContain(status);
  });

  it('answers 503 with Retry-After meanwhile, recovers by itself, and stores every accepted event once', async () => {
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    const retryAfters = new Set<string | null>();
    const stop = new AbortController();
    /** As SDKs do: the same event again until it is accepted. */
    const sender = async (name: number): Promise<void> => {
      for (let sequence = 0; !stop.signal.aborted; sequence += 1) {
        const messageId = `outage-${name}-${sequence}`;
        for (let status = 0; status !== 200 && !stop.signal.aborted;) {
          const response = await send(messageId);
          status = response.status;
          statuses.add(status);
          if (status === 200) acknowledged.push(messageId);
          else retryAfters.add(response.headers.get('retry-after'));
          await response.arrayBuffer();
        }
      }
    };
    const senders = Array.from({ length: SENDERS }, (_, name) => sender(name));
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 50));
      await proxy.cut();
      statuses.clear(); // Answers that were on their way still count as 200.
      await eventually(() => expect(statuses).toContain(503));
      await proxy.restore();
    }
    const before = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 50));
    stop.abort();
    expect([...retryAfters]).toEqual(['5']);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await Promise.all(senders);
    const stored = await storedMessageIds();
    expect(new Set(stored).size).toBe(stored.length);
    expect(acknowledged.filter((messageId) => !stored.includes(messageId))).toEqual([]);
  });
});
