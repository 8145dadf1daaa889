import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aToken } from '../support/a-token';
import { aWebhook } from '../support/a-webhook';
import { ApiClient } from '../support/api-client';
import {
  type BuiltService,
  buildService,
  startBuiltService,
  temporaryFolder,
} from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { runToEnd } from '../support/run-to-end';

const BACKUP = join(__dirname, '..', '..', 'scripts', 'backup.mjs');
const JWT_SECRET = 'test-secret-of-some-length';

describe('a back-up of the embedded PostgreSQL', () => {
  beforeAll(() => buildService(), 60_000);

  function start(dataFolder: string): Promise<BuiltService> {
    return startBuiltService({ NODE_ENV: 'test', CDP_DATA_DIR: dataFolder, CDP_JWT_SECRET: JWT_SECRET });
  }

  async function send(url: string, writeKey: string): Promise<string> {
    const messageId = randomUUID();
    const event = {
      type: 'track',
      event: 'Seen',
      userId: 'ada',
      messageId,
      timestamp: new Date().toISOString(),
    };
    const { status } = await fetch(`${url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` },
      body: JSON.stringify({ batch: [event] }),
    });
    expect(status).toBe(200);
    return messageId;
  }

  it('looks for the data folder that a file .env names', async () => {
    const folder = temporaryFolder();
    try {
      writeFileSync(join(folder.path, '.env'), 'CDP_DATA_DIR=/no/such/data\n');
      const backup = await runToEnd(BACKUP, ['--to', join(folder.path, 'copy')], { cwd: folder.path });
      expect(backup).toMatchObject({ code: 1, errors: expect.stringContaining('/no/such/data/postgres') });
    } finally {
      folder.remove();
    }
  });

  it('taken under load and restored goes on delivering what had been accepted', async () => {
    const [original, copy, restored] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const { path } of [original, copy, restored]) chmodSync(path, 0o755); // PostgreSQL may run as another user.
    const receiver = await Receiver.start();
    receiver.answer(503); // Nothing is delivered before the back-up.
    let service = await start(original.path);
    try {
      await aWebhook(service.url, receiver.url, JWT_SECRET);
      const api = new ApiClient(service.url, {
        authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
      });
      const { writeKey } = (await api.post('/sources', { name: 'Website' })).body;
      const before: string[] = [];
      for (let count = 0; count < 50; count += 1) before.push(await send(service.url, writeKey));
      const backup = { done: false };
      const load = (async () => {
        while (!backup.done) await send(service.url, writeKey);
      })();
      const { stdout } = await promisify(execFile)(process.execPath, [
        BACKUP,
        '--to',
        copy.path,
        '--data-dir',
        original.path,
      ]);
      backup.done = true;
      await load;
      expect(stdout).toContain('Backed up');
      await service.kill();

      receiver.answer(200);
      cpSync(copy.path, restored.path, { recursive: true });
      service = await start(restored.path);
      await eventually(() => {
        const delivered = new Set(
          receiver.received.map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId),
        );
        expect(before.filter((messageId) => !delivered.has(messageId))).toEqual([]);
      }, 60_000);
      // The same secrets and keys: clients need not be told anything.
      await send(service.url, writeKey);
    } finally {
      await service.stop();
      await receiver.stop();
      original.remove();
      copy.remove();
      restored.remove();
    }
  }, 180_000);
});
