// @ts-check
// npm run bench -- growth: what an event and each question cost in a store that has grown, beside a small one. Both
// stores have a service of their own on this machine, and are measured in turn.
//    --events 30000000      events stored, over so many people and days
//    --people 3000000
//    --days 90
//    --deliveries 2000000   finished ones
//    --keep <folder>        where the large store is kept for the next run; default: it is thrown away
//    --rates 500,2000       events offered per second
//    --sizes 1,20           events per request, for each rate
//    --seconds 10           length of each measurement
//    --warmup 10            seconds before it
//    --rounds 2             how often both stores are measured, in turn
//    --only path            or operations
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { addDestination, openFixture, startService } from '../delivery/fixture.mjs';
import { accessToken } from '../support/access-token.mjs';
import { figure } from '../support/figures.mjs';
import { cpuSeconds, treeCpuSeconds } from '../support/process-stats.mjs';
import { makeSource, offer } from '../whole-path/measure.mjs';
import { fillStore } from './fill-store.mjs';
import { makeSegment, timeOperations } from './operations.mjs';
import { lowestId } from '#dist/events/partitions/partition-plan';

const SMALL = { events: 100_000, people: 10_000, deliveries: 20_000, days: 7 };
const NAME = 'receiver of growth';
/**
 * After the boot and before what a service does at rest is measured, and for how long. Half a minute after its boot V8
 * collects its whole heap once, 0.3 s, whatever the store.
 */
const SETTLE_MS = 40_000;
const REST_MS = 10_000;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '30000000' },
      people: { type: 'string', default: '3000000' },
      days: { type: 'string', default: '90' },
      deliveries: { type: 'string', default: '2000000' },
      keep: { type: 'string' },
      rates: { type: 'string', default: '500,2000' },
      sizes: { type: 'string', default: '1,20' },
      seconds: { type: 'string', default: '10' },
      warmup: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
  });
  const large = Object.fromEntries(
    ['events', 'people', 'days', 'deliveries'].map((name) => [name, Number(values[name])]),
  );
  const folder = values.keep ?? ownFolder();
  const opened = [];
  try {
    opened.push(await openStore(join(folder, 'large'), large));
    opened.push(await openStore(ownFolder(), SMALL));
    const [grown, small] = opened;
    await compareRest(grown, small);
    if (values.only !== 'operations') await comparePath(grown, small, values);
    if (values.only !== 'path') await compareOperations(grown, small);
  } finally {
    for (const { service, fixture } of opened) {
      await service.stop();
      await fixture.close();
    }
    if (opened[1] !== undefined) rmSync(opened[1].folder, { recursive: true, force: true });
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'cdp-growth-'));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user.
  return folder;
}

async function openStore(folder, size) {
  mkdirSync(folder, { recursive: true });
  const fixture = await openFixture({ redis: true, keepIn: folder });
  try {
    return { folder, fixture, size, ...(await serve(fixture, size)) };
  } catch (error) {
    await fixture.close();
    throw error;
  }
}

async function serve(fixture, size) {
  const { client } = fixture;
  const known = await client.query('select id from destination where name = $1', [NAME]);
  const destinationId = known.rows[0]?.id ?? (await addDestination(client, NAME, fixture.receiverUrl));
  // The receiver has another port in each run.
  await client.query('update destination set config = $2 where id = $1', [
    destinationId,
    { url: `${fixture.receiverUrl}/timed` },
  ]);
  const connect = async () => {
    const session = new pg.Client({ connectionString: fixture.databaseUrl });
    await session.connect();
    return session;
  };
  await fillStore(client, connect, { destinationId, ...size });
  const service = await startService(fixture, {
    CDP_EVENT_RETENTION_DAYS: '365',
    CDP_DELIVERY_RETENTION_DAYS: '365',
  });
  const api = await apiOf(service.url);
  const segments = await client.query('select id from segment');
  const segmentId = segments.rows[0]?.id ?? (await makeSegment(api));
  const writeKey = await makeSource(client);
  return { service, api, destinationId, segmentId, writeKey };
}

async function apiOf(url) {
  const token = await accessToken('bench-jwt-secret-of-some-length');
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return isJson ? JSON.parse(text) : text;
  };
}

/** What service and PostgreSQL use of a core while nothing comes in. */
async function compareRest(grown, small) {
  await delay(SETTLE_MS);
  const used = ({ service, fixture: { postgresPid } }) =>
    cpuSeconds(service.pid) + treeCpuSeconds(postgresPid);
  const before = [grown, small].map(used);
  await delay(REST_MS);
  const [of, beside] = [grown, small].map((store, index) => ((used(store) - before[index]) / REST_MS) * 1e5);
  console.log(`at rest: ${of.toFixed(1)} % of a core, ${beside.toFixed(1)} % with the small store`);
  figure('growth', 'at rest', of, '% of a core', beside);
}

async function comparePath(grown, small, { rates, sizes, seconds, warmup, rounds }) {
  const rows = [];
  for (const [index, rate] of rates.split(',').map(Number).entries()) {
    for (let round = 0; round < Number(rounds); round += 1) {
      for (const store of [small, grown]) {
        const options = {
          port: Number(new URL(store.service.url).port),
          writeKey: store.writeKey,
          batchSize: Number(sizes.split(',')[index]),
          connections: 16,
          warmupMs: Number(warmup) * 1000,
          durationMs: Number(seconds) * 1000,
          users: store.size.people,
        };
        rows.push({ store, ...(await offerWithLog(rate, options, store)) });
      }
    }
  }
  console.table(
    rows.map((row) => ({
      store: row.store === grown ? 'grown' : 'small',
      'offered/s': row.offered,
      'events/request': row.batchSize,
      'p50 ms': row.p50Ms,
      'p99 ms': row.p99Ms,
      'request p99 ms': row.requestP99Ms && Number(row.requestP99Ms.toFixed(1)),
      'service CPU µs': Math.round(row.serviceCpuMicroseconds),
      'PostgreSQL CPU µs': Math.round(row.postgresCpuMicroseconds),
      'log, bytes an event': Math.round(row.logBytes),
    })),
  );
  for (const rate of new Set(rows.map(({ offered }) => offered))) {
    const mean = (store, of) => {
      const some = rows.filter((row) => row.store === store && row.offered === rate).map(of);
      return some.reduce((sum, value) => sum + value, 0) / some.length;
    };
    const cpu = (row) => row.serviceCpuMicroseconds + row.postgresCpuMicroseconds;
    figure('growth', `CPU of an event at ${rate}/s`, mean(grown, cpu), 'µs', mean(small, cpu));
    figure('growth', `log of an event at ${rate}/s`, mean(grown, logOf), 'bytes', mean(small, logOf));
    console.log(
      `${rate}/s: CPU ${(mean(grown, cpu) / mean(small, cpu)).toFixed(2)}, log ${(mean(grown, logOf) / mean(small, logOf)).toFixed(2)} times that of the small store`,
    );
  }
}

const logOf = ({ logBytes }) => logBytes;

/** The log of the warm-up counts, too, because it is the first changes of pages that are large. */
async function offerWithLog(rate, options, { fixture, service }) {
  const { client } = fixture;
  const bytesOfLog = async () => {
    const { rows } = await client.query(`select pg_current_wal_lsn() - '0/0' as bytes`);
    return Number(rows[0].bytes);
  };
  const [from, before] = [lowestId(Date.now()), await bytesOfLog()];
  const row = await offer(rate, options, { fixture, service });
  const bytes = (await bytesOfLog()) - before;
  const { rows } = await client.query('select count(*) from event where id >= $1', [from]);
  return { ...row, logBytes: bytes / Number(rows[0].count) };
}

async function compareOperations(grown, small) {
  const times = Object.entries(await timeOperations([grown, small]));
  console.table(
    Object.fromEntries(
      times.map(([name, [of, beside]]) => {
        figure('growth', name, of, 'ms', beside);
        const row = {
          'small ms': beside.toFixed(1),
          'grown ms': of.toFixed(1),
          ratio: (of / beside).toFixed(2),
        };
        return [name, row];
      }),
    ),
  );
}
