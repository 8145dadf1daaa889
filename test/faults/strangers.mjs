// @ts-check
// npm run test:strangers [-- --seconds 5] [-- part of a name]: what somebody without credentials can do to the service.
// Another process sends the worst bodies there are, as fast as it can; this one asks /health/live every few
// milliseconds and sends a batch with a write key now and then. A row of the table is an attack. It fails when a stranger
// gets a 5xx, when an honest batch is not taken, or when the service takes more than 450 MB.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../../bench/support/postgres.mjs';
import { residentMegabytes } from '../../bench/support/process-stats.mjs';
import { startService } from '../../bench/support/service.mjs';
import { ATTACKS } from './stranger-attacks.mjs';

const ASK_EVERY_MS = 5;
const MAX_RSS_MB = 450;
const KEY = 'a'.repeat(64);

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds ?? 5);
const wanted = positionals[0] ?? '';

const database = await openBenchDatabase();
/** @type {Awaited<ReturnType<typeof suffer>>[]} */
const rows = [];
let failed = false;
try {
  for (const name of ['nothing', ...Object.keys(ATTACKS).filter((each) => each.includes(wanted))]) {
    const row = await suffer(name);
    rows.push(row);
    console.log(JSON.stringify(row));
    const refused = Object.keys(row.honest).some((status) => status !== '200');
    if (refused || /5\d\d/.test(Object.keys(row.answers).join()) || !(row.peakMB <= MAX_RSS_MB))
      failed = true;
  }
} finally {
  await database.close();
}
console.table(
  rows.map(({ honest, answers, ...row }) => ({
    ...row,
    honest: JSON.stringify(honest),
    answers: JSON.stringify(answers),
  })),
);
process.exit(failed ? 1 : 0);

/**
 * A fresh service under one attack. Times in ms.
 * @param {string} name
 */
async function suffer(name) {
  const service = await startService({
    databaseUrl: database.url,
    env: { NODE_ENV: 'development', CDP_ROLES: 'management,events', CDP_LOG_LEVEL: 'fatal' },
  });
  try {
    await addSource();
    const attacker = name === 'nothing' ? undefined : attack(name, service.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    /** @type {number[]} */
    const health = [];
    /** @type {Record<string, number>} */
    const honest = {};
    const until = performance.now() + seconds * 1000;
    let nextBatch = 0;
    while (performance.now() < until) {
      const startedAt = performance.now();
      await answerOf(service.url, { path: '/health/live', agent });
      health.push(performance.now() - startedAt);
      if (startedAt > nextBatch) {
        nextBatch = startedAt + 250;
        const status = await sendBatch(service.url).catch((error) => error.code ?? 'error');
        honest[status] = (honest[status] ?? 0) + 1;
      }
      await delay(ASK_EVERY_MS);
    }
    agent.destroy();
    /** @type {Record<string, number>} */
    const answers = attacker === undefined ? {} : await attacker();
    health.sort((a, b) => a - b);
    return {
      attack: name,
      p99: Math.round(health[Math.floor(health.length * 0.99)]),
      max: Math.round(Math.max(...health)),
      peakMB: Math.round(residentMegabytes(service.pid).peak),
      honest,
      answers,
    };
  } finally {
    await service.stop();
  }
}

/**
 * Less important than the service, which would wait for a core otherwise.
 * @param {string} name
 * @param {string} url
 */
function attack(name, url) {
  const script = new URL('./stranger-attacks.mjs', import.meta.url).pathname;
  const child = spawn('nice', ['-n', '15', process.execPath, script, name, url, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close');
  return async () => {
    await ended;
    return JSON.parse(output);
  };
}

function addSource() {
  return database.query(
    `insert into source (id, name, write_key_hash, write_key_sealed) values ($1, 'Shop', $2, '') on conflict do nothing`,
    [randomUUID(), createHash('sha256').update(KEY).digest()],
  );
}

/** @param {string} url */
function sendBatch(url) {
  const event = {
    type: 'track',
    event: 'Bought',
    userId: 'u',
    messageId: randomUUID(),
    timestamp: new Date().toISOString(),
  };
  return answerOf(url, {
    path: '/v1/batch',
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` },
    body: JSON.stringify({ batch: [event] }),
  });
}

/**
 * The status.
 * @param {string} url
 * @param {import('node:http').RequestOptions & { path: string, body?: string }} options
 * @returns {Promise<number>}
 */
function answerOf(url, { path, body, ...options }) {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), options, (response) => {
      response.resume();
      response.once('end', () => resolve(Number(response.statusCode)));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
