import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { anApiClient } from '../support/api-client';
import { testRedisUrl } from '../support/test-redis';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

/** The table of docs/operations.md: how many connections a process may have under a name. */
const documented = new Map(
  [
    ...readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8').matchAll(
      /^\| [^|]+\| `(cdp-service[\w-]*|redis)` +\| (\d+) +\|/gm,
    ),
  ].map(([, name = '', most]) => [name, Number(most)]),
);
const ROUNDS = 6;
const REQUESTS = 30;

describe.each(queueKinds())('the connections of a process with its queue on %s', (queue) => {
  let service: TestService;
  let authorization: string;

  beforeAll(async () => {
    service = await startTestService({ queue });
    const api = await anApiClient(service);
    const { writeKey } = (await api.post('/sources', { name: 'Website' })).body;
    authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  });
  afterAll(() => service.close());

  /** Everything at once that asks for connections. How it is answered is the matter of other tests. */
  async function load(): Promise<void> {
    const api = await anApiClient(service);
    const asking = Array.from({ length: REQUESTS }, () => [
      sendBatch(),
      api.get('/sources'),
      api.put('/config', { version: 1 }),
      api.get('/dead-letters'),
      fetch(`${service.url}/health/ready`),
      fetch(`${service.url}/metrics`),
    ]);
    await Promise.all(asking.flat());
  }

  function sendBatch(): Promise<Response> {
    const batch = Array.from({ length: 50 }, (_, index) => ({
      type: 'track',
      event: 'Seen',
      userId: `user-${index}`,
      messageId: randomUUID(),
      timestamp: new Date().toISOString(),
    }));
    const body = JSON.stringify({ batch });
    return fetch(`${service.url}/v1/batch`, { method: 'POST', headers: { authorization }, body });
  }

  it('are never more than the documentation says', async () => {
    expect([...documented.keys()]).toContain('cdp-service');
    const observer = new Client({ connectionString: service.databaseUrl, application_name: 'observer' });
    await observer.connect();
    const most = new Map<string, number>();
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [{ rows }] = await Promise.all([
          observer.query<{ name: string; count: number }>(COUNT_CONNECTIONS),
          load(),
        ]);
        for (const { name, count } of rows) most.set(name, Math.max(most.get(name) ?? 0, count));
      }
    } finally {
      await observer.end();
    }
    const excess = [...most].filter(([name, count]) => count > (documented.get(name) ?? 0));
    expect(excess).toEqual([]);
    expect(most.get('cdp-service-intake')).toBeGreaterThan(0);
  });

  if (queue === 'redis') {
    it('to Redis are as many as the documentation says', async () => {
      const observer = new Redis(testRedisUrl() ?? '');
      const { db } = observer.options;
      const list = String(await observer.client('LIST'));
      await observer.quit();
      // The observer is one of them.
      const count = list.split('\n').filter((line) => line.includes(` db=${db} `)).length - 1;
      expect(count).toBe(documented.get('redis'));
    });
  }
});

/** Workers of the queue on PostgreSQL name their connections after the queue. */
const COUNT_CONNECTIONS = `
  select case when application_name like 'cdp-service%' then application_name else 'cdp-service-queue' end as name,
    count(*)::int as count
  from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and application_name <> 'observer'
  group by 1`;
