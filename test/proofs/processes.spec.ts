import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isRunning } from '../../src/platform/database/embedded/running-process';
import { aSource } from '../support/a-source';
import { aWebhook } from '../support/a-webhook';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { testRedisUrl } from '../support/test-redis';

const JWT_SECRET = 'test-secret-of-some-length';
const PROCESSES = 3;
const CLIENTS = 6;

describe('several processes of one start', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let service: BuiltService;
  let writeKey: string;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    receiver = await Receiver.start();
    const redis = testRedisUrl();
    service = await startBuiltService({
      NODE_ENV: 'test',
      CDP_PROCESSES: String(PROCESSES),
      CDP_DATABASE_URL: database.url,
      ...(redis === undefined ? {} : { CDP_REDIS_URL: redis }),
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_JWT_SECRET: JWT_SECRET,
      // What a killed process had in hand is tried again soon.
      CDP_DELIVERY_TIMEOUT_MS: '1000',
      CDP_DELIVERY_GRACE_MS: '8000',
    });
    writeKey = (await aSource(database.url)).writeKey;
    await aWebhook(service.url, receiver.url, JWT_SECRET);
    await eventually(async () => expect(await processesInMetrics()).toEqual(['1', '2', '3']));
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await database.drop();
  });

  async function metrics(): Promise<string> {
    return (await fetch(`${service.url}/metrics`)).text();
  }

  async function processesInMetrics(): Promise<string[]> {
    const found = [...(await metrics()).matchAll(/^process_resident_memory_bytes\{process="(\d+)"\}/gm)];
    return found.map(([, slot = '']) => slot).sort();
  }

  function children(): number[] {
    const output = execFileSync('pgrep', ['-P', String(service.process.pid)], { encoding: 'utf8' });
    return output.trim().split('\n').map(Number);
  }

  /** Sends a batch until it is acknowledged, as SDKs do; answers the ids of its events. */
  async function send(): Promise<string[]> {
    const messageIds = Array.from({ length: 5 }, () => randomUUID());
    const body = JSON.stringify({ batch: messageIds.map(anEvent) });
    const headers = { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` };
    for (;;) {
      const answer = await fetch(`${service.url}/v1/batch`, { method: 'POST', headers, body }).catch(
        () => undefined, // The process that had the connection was killed.
      );
      if (answer?.status === 200) return messageIds;
    }
  }

  it('lose nothing and keep the port open when one of them is killed under load, and replace it', async () => {
    const accepted: string[] = [];
    const refused: string[] = [];
    const { signal, abort } = stopSwitch();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!signal.aborted) accepted.push(...(await send()));
    });
    const knocking = (async () => {
      while (!signal.aborted) await knock(service.url).catch((error: unknown) => refused.push(String(error)));
    })();
    for (let kill = 0; kill < 2; kill += 1) {
      const before = accepted.length;
      await eventually(() => expect(accepted.length).toBeGreaterThan(before + 200));
      const victim = children()[kill] ?? 0;
      process.kill(victim, 'SIGKILL');
      await eventually(() => {
        const running = children();
        expect(running).not.toContain(victim);
        expect(running).toHaveLength(PROCESSES);
      }, 30_000);
    }
    await eventually(async () => expect(await processesInMetrics()).toEqual(['1', '2', '3']), 30_000);
    abort();
    await Promise.all([...clients, knocking]);
    expect(refused).toEqual([]);
    const missing = new Set(accepted);
    let seen = 0;
    await eventually(() => {
      for (const { body } of receiver.received.slice(seen)) {
        missing.delete((JSON.parse(body) as { messageId: string }).messageId);
        seen += 1;
      }
      expect([...missing]).toEqual([]);
    }, 120_000);
  }, 300_000);

  it('answer a scrape with the metrics of all, each described once', async () => {
    const text = await metrics();
    expect(text.match(/^# TYPE cdp_database_pool_waiting /gm)).toHaveLength(1);
    const values = [...text.matchAll(/^cdp_database_pool_waiting\{process="\d"\} \d+/gm)];
    expect(values).toHaveLength(PROCESSES);
  });

  it('say in the log which of them died, and end together on SIGTERM', async () => {
    expect(service.output()).toMatch(
      /A process has died and is started again.*process=\d pid=\d+ reason=SIGKILL/,
    );
    const running = children();
    expect(await service.stop()).toBe(0);
    expect(running.filter(isRunning)).toEqual([]);
  });
});

function stopSwitch(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Opens a connection and closes it. */
async function knock(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.destroy();
}

function anEvent(messageId: string): object {
  return { type: 'track', event: 'Seen', userId: 'ada', messageId, timestamp: new Date().toISOString() };
}
