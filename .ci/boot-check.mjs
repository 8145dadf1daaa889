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
const STOP_TIMEOUT_MS = 20_000;
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
  await untilServed('the service is ready', START_TIMEOUT_MS, async () => {
    const answer = await fetch(`${url}/health/ready`);
    return answer.ok || `${answer.status} ${await answer.text()}`;
  });
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
  assert.equal(answer.status, 200, `POST /v1/batch: ${answer.status} ${await answer.text()}`);
  console.log(`First event accepted ${((Date.now() - startedAt) / 1000).toFixed(1)} s after npm start`);

  await untilServed('the webhook arrives', DELIVERY_TIMEOUT_MS, () => webhooks.length > 0);
  const [webhook] = webhooks;
  assert.equal(JSON.parse(webhook.body).messageId, messageId, `not the event that was sent: ${webhook.body}`);
  assert.ok(await verify(SECRET, webhook.body, webhook.signature), 'the signature is valid');
  console.log('Webhook received, signature valid');

  async function create(path, body) {
    const created = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: manage,
      body: JSON.stringify(body),
    });
    const answered = await created.text();
    assert.equal(created.status, 201, `POST ${path}: ${created.status} ${answered}`);
    return JSON.parse(answered);
  }

  const postmaster = Number(
    readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
  console.log(`Memory of the service process: ${Math.round(bytes / 1e6)} MB`);
  service.kill('SIGTERM');
  await ended;
  await until('PostgreSQL has stopped', STOP_TIMEOUT_MS, () => !isRunning(postmaster));
  await assert.rejects(fetch(`${url}/health/live`), undefined, 'something still listens');
  console.log('Stopped, nothing left behind');
} finally {
  receiver.close();
  if (service.exitCode === null && service.signalCode === null) service.kill('SIGTERM');
  await ended;
  rmSync(dataFolder, { recursive: true, force: true });
}

/** Until then the service has to run. */
async function untilServed(what, timeoutMs, check) {
  await until(what, timeoutMs, () => {
    const { exitCode, signalCode } = service;
    assert.ok(
      exitCode === null && signalCode === null,
      `npm start ended with ${signalCode ?? exitCode} before ${what}`,
    );
    return check();
  });
}

/** @param check answers true, or what it saw instead */
async function until(what, timeoutMs, check) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await sight(check);
    if (seen === true) return;
    assert.ok(Date.now() < deadline, `not within ${timeoutMs / 1000} s: ${what}; last seen: ${seen}`);
    await delay(50);
  }
}

async function sight(check) {
  try {
    return await check();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return `${error.message}: ${error.cause?.message ?? ''}`;
  }
}

/** A zombie has ended: whether PostgreSQL's is taken away at once is a matter of process 1, not of the service. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return error.code !== 'ESRCH'; // Not ours to signal, or a system without /proc.
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  return free;
}
