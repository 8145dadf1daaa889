import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aToken } from '../support/a-token';
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
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { queueKinds } from '../support/test-service';

jest.setTimeout(180_000);

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
