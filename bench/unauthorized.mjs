// npm run bench -- unauthorized: whether the time of a 401 tells a write key that exists from one that does not.
// Every key is used once, so that no answer comes from the cache, in random order over one connection.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { openBenchDatabase } from './support/postgres.mjs';
import { startService } from './support/service.mjs';

const KEYS = 1_000;
const WARMUP = 500;
/** A normal deviate beyond this comes by chance once in 370 runs. */
const SUSPICIOUS = 3;

const KINDS = {
  unknown: () => undefined,
  deleted: (database, key) => addSource(database, key).then((id) => remove(database, id)),
  disabled: (database, key) => addSource(database, key).then((id) => disable(database, id)),
};

const database = await openBenchDatabase();
const service = await startService({ databaseUrl: database.url, env: { CDP_ROLES: 'events' } });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  const tries = await prepare();
  const times = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let count = 0; count < WARMUP; count += 1) await timeOf(newKey());
  for (const { kind, key } of tries) times[kind].push(await timeOf(key));
  report(times);
} finally {
  agent.destroy();
  await service.stop();
  await database.close();
}

async function prepare() {
  const tries = [];
  for (const [kind, make] of Object.entries(KINDS)) {
    for (let count = 0; count < KEYS; count += 1) {
      const key = newKey();
      await make(database, key);
      tries.push({ kind, key, order: Math.random() });
    }
  }
  return tries.sort((a, b) => a.order - b.order);
}

function timeOf(key) {
  const body = '{"batch":[]}';
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(`${service.url}/v1/batch`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode !== 401) reject(new Error(`Answered ${response.statusCode}`));
        resolve(performance.now() - startedAt);
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function report(times) {
  const table = Object.entries(times).map(([kind, values]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const quantile = (q) => Number((sorted[Math.floor(q * sorted.length)] * 1000).toFixed(0));
    return [
      kind,
      {
        'p25 µs': quantile(0.25),
        'median µs': quantile(0.5),
        'p75 µs': quantile(0.75),
        'p99 µs': quantile(0.99),
        'deviates from unknown by (σ)': kind === 'unknown' ? 0 : Number(rankSum(values, times.unknown)),
      },
    ];
  });
  console.log(`${KEYS} keys of each kind, each used once`);
  console.table(Object.fromEntries(table));
  const told = table.filter(([, row]) => Math.abs(row['deviates from unknown by (σ)']) > SUSPICIOUS);
  console.log(
    told.length === 0 ? 'They cannot be told apart.' : `${told.map(([kind]) => kind)} can be told.`,
  );
}

/** Mann-Whitney's U as a normal deviate: how much larger the first values are than the second. */
function rankSum(first, second) {
  const all = [...first.map((value) => ({ value, first: true })), ...second.map((value) => ({ value }))];
  all.sort((a, b) => a.value - b.value);
  const ranks = all.reduce((sum, { first: own }, index) => (own === true ? sum + index + 1 : sum), 0);
  const [n, m] = [first.length, second.length];
  const u = ranks - (n * (n + 1)) / 2;
  return ((u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)).toFixed(1);
}

async function addSource(target, key) {
  const id = randomUUID();
  const hash = createHash('sha256').update(key).digest();
  await target.query(
    'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
    [id, 'timed', hash, ''],
  );
  return id;
}

function remove(target, id) {
  return target.query('delete from source where id = $1', [id]);
}

function disable(target, id) {
  return target.query('update source set enabled = false where id = $1', [id]);
}

function newKey() {
  return randomBytes(32).toString('hex');
}
