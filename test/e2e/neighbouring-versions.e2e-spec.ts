import { randomUUID } from 'node:crypto';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createService } from '../../src/bootstrap';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import { Database } from '../../src/platform/database/database';
import { migrations } from '../../src/platform/database/migrations';
import { runMigrations } from '../../src/platform/database/run-migrations';
import { Config } from '../../src/platform/config/config';
import { aSource } from '../support/a-source';
import { anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const TABLES = ['source', 'destination', 'event', 'inbox', 'profile', 'delivery', 'delivery_attempt'];

/** What the next version may do (docs/decisions/0093), to every table that events pass through: one table at a time. */
const additions = TABLES.map(
  (table, index) =>
    class implements MigrationInterface {
      readonly name = `AddColumns19990000000${10 + index}`;

      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`alter table ${table} add column next_nullable text`);
        await runner.query(`alter table ${table} add column next_with_default integer not null default 7`);
      }

      async down(): Promise<void> {
        // The database is dropped.
      }
    },
);

class AddIndex1999000000099 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index concurrently next_ix on profile (next_nullable)');
  }

  async down(): Promise<void> {
    // The database is dropped.
  }
}

const CLIENTS = 4;
const READY = { ready: true, checks: { database: 'up' } };

describe('a process whose tables the next version migrates', () => {
  let service: TestService;
  let receiver: Receiver;
  let writeKey: string;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_MANAGEMENT_REQUESTS_PER_MINUTE: '0' } });
    receiver = await Receiver.start();
    ({ writeKey } = await aSource(service.databaseUrl));
    const api = await anApiClient(service);
    const config = { url: receiver.url };
    expect((await api.post('/destinations', { name: 'Receiver', type: 'webhook', config })).status).toBe(201);
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  async function send(): Promise<{ status: number; messageIds: string[] }> {
    const messageIds = Array.from({ length: 5 }, () => randomUUID());
    const answer = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` },
      body: JSON.stringify({ batch: messageIds.map(anEvent) }),
    });
    return { status: answer.status, messageIds };
  }

  async function readiness(): Promise<unknown> {
    return (await fetch(`${service.url}/health/ready`)).json();
  }

  it('fails no request, loses nothing and stays ready', async () => {
    const accepted: string[] = [];
    const failed: number[] = [];
    const stop = new AbortController();
    const api = await anApiClient(service);
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!stop.signal.aborted) {
        const { status, messageIds } = await send();
        if (status === 200) accepted.push(...messageIds);
        else failed.push(status);
        const { status: read } = await api.get('/destinations');
        if (read !== 200) failed.push(read);
      }
    });
    const further = async (): Promise<void> => {
      const before = accepted.length;
      await eventually(() => expect(accepted.length).toBeGreaterThan(before + 200), 30_000);
    };
    try {
      await further();
      await migrateToNextVersion(service.databaseUrl);
      await further();
    } finally {
      stop.abort();
      await Promise.all(clients);
    }
    expect(failed).toEqual([]);
    expect(await readiness()).toMatchObject(READY);
    await eventually(() => {
      const delivered = new Set(
        receiver.received.map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId),
      );
      expect(accepted.filter((messageId) => !delivered.has(messageId))).toEqual([]);
    }, 30_000);
    const [profiles] = await service.app
      .get(Database)
      .query<{ events: number }>('select sum(event_count)::int as events from profile');
    expect(profiles?.events).toBe(accepted.length);
  }, 90_000);

  it('of this version starts on the newer tables, and leaves them as they are', async () => {
    await runMigrations(service.databaseUrl);
    const another = await createService(
      Config.from({
        NODE_ENV: 'test',
        CDP_LOG_LEVEL: 'error',
        CDP_DATABASE_URL: service.databaseUrl,
        CDP_JWT_SECRET: service.jwtSecret,
        CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      }),
    );
    try {
      await another.app.init();
      const answer = await another.app.inject({ method: 'GET', url: '/health/ready' });
      expect(answer.json()).toMatchObject(READY);
      await another.app.get(Database).query('select next_with_default from delivery limit 1');
    } finally {
      await another.close();
    }
  });

  it('is not ready on older tables, until they are migrated', async () => {
    const newest = migrations.at(-1)?.name ?? '';
    const database = service.app.get(Database);
    await database.query('update migrations set name = $2 where name = $1', [newest, 'hidden']);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    expect(await readiness()).toMatchObject({ ready: false, checks: { database: 'not_migrated' } });
    await database.query('update migrations set name = $1 where name = $2', [newest, 'hidden']);
    expect(await readiness()).toMatchObject(READY);
  });
});

async function migrateToNextVersion(databaseUrl: string): Promise<void> {
  const dataSource = new DataSource({
    ...dataSourceOptions(databaseUrl),
    migrations: [...migrations, ...additions, AddIndex1999000000099],
  });
  await dataSource.initialize();
  try {
    expect(await dataSource.runMigrations()).toHaveLength(TABLES.length + 1);
  } finally {
    await dataSource.destroy();
  }
}

function anEvent(messageId: string, index: number): object {
  return {
    type: 'track',
    event: 'Seen',
    userId: `user-${index}`,
    messageId,
    timestamp: new Date().toISOString(),
  };
}
