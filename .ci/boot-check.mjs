// Starts the service with `npm start` on an empty data folder, sends it a batch, waits for the signed webhook, stops
// it and looks for processes that were left behind.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { verify } from '@octokit/webhooks-methods';

const START_TIMEOUT_MS = 120_000;
const DELIVERY_TIMEOUT_MS = 30_000;
const SECRET = 'a-secret-for-this-check';

const dataFolder = mkdtempSync(join(tmpdir(), 'cdp-boot-check-'));
chmodSync(dataFolder, 0o755);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, CDP_DATA_DIR: dataFolder, PORT: String(port), HOST: '127.0.0.1' };
for (const name of ['NODE_ENV', 'CDP_DATABASE_URL', 'CDP_REDIS_URL', 'CDP_JWT_JWKS_URL']) env[name] = '';

const webhooks = [];
const receiver = createServer(async (request, response) => {
  webhooks.push({ body: await text(request), signature: request.headers['x-service-signature'] });
  response.end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');

const startedAt = Date.now();
const service = spawn('npm', ['start'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
const ended = once(service, 'exit');
try {
  await until('the service is ready', START_TIMEOUT_MS, async () => (await fetch(`${url}/health/ready`)).ok);
  const token = execFileSync('npm', ['run', '--silent', 'token'], { env, encoding: 'utf8' }).trim();
  const manage = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const source = await create('/sources', { name: 'Boot check', description: '' });
  await create('/destinations', {
    name: 'Receiver',
    type: 'webhook',
    config: { url: `http://127.0.0.1:${receiver.address().port}/`, secret: SECRET },
  });

  const messageId = randomUUID();
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      batch: [
        {
          type: 'track',
          event: 'Boot Checked',
          userId: 'u-1',
          messageId,
          timestamp: new Date().toISOString(),
        },
      ],
      sentAt: new Date().toISOString(),
    }),
  });
  assert.equal(answer.status, 200, await answer.text());
  console.log(`First event accepted ${((Date.now() - startedAt) / 1000).toFixed(1)} s after npm start`);

  await until('the webhook arrives', DELIVERY_TIMEOUT_MS, async () => webhooks.length > 0);
  const [webhook] = webhooks;
  assert.equal(JSON.parse(webhook.body).messageId, messageId);
  assert.ok(await verify(SECRET, webhook.body, webhook.signature), 'the signature is valid');
  console.log('Webhook received, signature valid');

  async function create(path, body) {
    const created = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: manage,
      body: JSON.stringify(body),
    });
    assert.equal(created.status, 201, `POST ${path}: ${created.status}`);
    return created.json();
  }

  const postmaster = Number(
    readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
  console.log(`Memory of the service process: ${Math.round(bytes / 1e6)} MB`);
  service.kill('SIGTERM');
  await ended;
  await until('PostgreSQL has stopped', 20_000, async () => !isRunning(postmaster));
  await assert.rejects(fetch(`${url}/health/live`), 'nothing listens any more');
  console.log('Stopped, nothing left behind');
} finally {
  receiver.close();
  if (service.exitCode === null && service.signalCode === null) service.kill('SIGTERM');
  await ended;
  rmSync(dataFolder, { recursive: true, force: true });
}

async function until(what, timeoutMs, check) {
  const deadline = Date.now() + timeoutMs;
  while (!(await check().catch(() => false))) {
    assert.equal(service.exitCode, null, `The service ended before: ${what}`);
    assert.ok(Date.now() < deadline, `Not within ${timeoutMs / 1000} s: ${what}`);
    await delay(50);
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  return free;
}
