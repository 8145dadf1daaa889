import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { Config } from '../../src/platform/config/config';
import { aToken } from '../support/a-token';
import { anyEvent } from '../support/any-event';
import { ApiClient } from '../support/api-client';
import {
  type BuiltService,
  buildService,
  postmasterOf,
  startBuiltService,
  temporaryFolder,
} from '../support/built-service';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { InboxToProfiles } from '../support/inbox-to-profiles';
import { cut } from '../support/random-history';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase } from '../support/test-database';
import { queueKinds, TEST_ENCRYPTION_KEY } from '../support/test-service';

const BATCHES = 60;
const BATCH_SIZE = 20;

describe.each(queueKinds())('a service on %s queues that is killed', (queue) => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let service: BuiltService;

  beforeAll(async () => {
    buildService();
    chmodSync(folder.path, 0o755);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    folder.remove();
  });

  it('delivers every event it has accepted, after kill -9 of it and of PostgreSQL', async () => {
    const env: Record<string, string> = { CDP_DATA_DIR: folder.path, PORT: String(await freePort()) };
    if (queue === 'redis') env.CDP_REDIS_URL = process.env.CDP_TEST_REDIS_URL ?? '';
    service = await startBuiltService(env);
    const api = await managementOf(service, folder.path);
    const { writeKey } = (await api.post('/sources', { name: 'Shop', description: '' })).body;
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });

    const accepted: string[] = [];
    const sending = Array.from({ length: BATCHES }, async (_, batch) => {
      const ids = Array.from({ length: BATCH_SIZE }, (_unused, n) => `${queue}-${batch}-${n}`);
      if ((await sendTracks({ url: service.url, writeKey }, ids)) === 200) accepted.push(...ids);
    });
    await Promise.any(sending);
    process.kill(postmasterOf(folder.path), 'SIGKILL');
    await service.kill();
    await Promise.allSettled(sending); // Most of them never get an answer.
    expect(accepted.length).toBeGreaterThan(0);

    service = await startBuiltService(env);
    await eventually(() => {
      const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId));
      expect(accepted.filter((id) => !arrived.has(id))).toEqual([]);
    }, 90_000);
  });
});

async function managementOf(service: BuiltService, dataFolder: string): Promise<ApiClient> {
  const { jwtSecret } = JSON.parse(readFileSync(join(dataFolder, 'secrets.json'), 'utf8'));
  return new ApiClient(service.url, { authorization: `Bearer ${await aToken({ jwtSecret })}` });
}

/** 280 MB when parsed, for a process that has 192 MB; as 2,400 of them for the 512 MB of `npm start`. */
const LARGE_EVENTS = 400;
const HEAP_MB = 192;

describe('a worker', () => {
  it('gets through a backlog of events that take 24 times their bytes once they are parsed', async () => {
    buildService();
    const database = await createTestDatabase();
    const config = Config.from({ CDP_DATABASE_URL: database.url, CDP_ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
    const inbox = new InboxToProfiles(config);
    try {
      await makePartitionsOf(database.url, config);
      const properties = { a: Array.from({ length: 10_000 }, () => ({})) };
      const events = Array.from({ length: LARGE_EVENTS }, (_, index) =>
        anyEvent({ userId: `large-${index}`, properties }),
      );
      for (const group of cut(events, [60])) await inbox.accept(group);
      const worker = await startBuiltService({
        CDP_DATABASE_URL: database.url,
        CDP_ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        CDP_ROLES: 'worker',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      });
      try {
        await eventually(async () => {
          const { exitCode, signalCode } = worker.process;
          expect({ exitCode, signalCode, left: await inbox.size() }).toEqual({
            exitCode: null,
            signalCode: null,
            left: 0,
          });
        }, 90_000);
        expect((await inbox.database.query('select from profile')).length).toBe(LARGE_EVENTS);
      } finally {
        await worker.stop();
      }
    } finally {
      await inbox.close();
      await database.drop();
    }
  });
});

async function makePartitionsOf(url: string, config: Config): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await makePartitions(client, eventTables(config), Date.now());
  await client.end();
}
