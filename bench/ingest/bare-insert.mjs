// What a bare script reaches: the same rows in multi-row statements into the same schema, without HTTP, validation
// or deduplication. Options come as one JSON argument; the output is like the generator's.
import { createHash, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { messageIdOf, sampleEvent, USERS, userIdOf } from './sample-event.mjs';

const { databaseUrl, connections, rowsPerStatement, warmupMs, durationMs, run } = JSON.parse(process.argv[2]);
const EPOCH_SECONDS = 7 * 86_400;

const INSERT = `
  with input as materialized (
    select * from json_to_recordset($1)
      as e(k uuid, s text, t timestamptz, i uuid, o uuid, y text, n text, p json)
  ), ids as (
    insert into message_id (key, epoch)
    select k, floor(extract(epoch from now()) / ${EPOCH_SECONDS})::int from input
  ), inboxed as (
    insert into inbox (id, subjects, timestamps, event_ids)
    select $2, array_agg(s), array_agg(t), array_agg(i) from input
  )
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select s, t, i, o, y, n, p from input`;

const sourceId = randomUUID();
let number = 0;
let inserted = 0;
let measuring = false;
let stopped = false;

const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return client;
  }),
);
for (const client of clients) void insertForever(client);
await wait(warmupMs);
measuring = true;
const from = performance.now();
const cpuFrom = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ measuring: true })}\n`);
const ticker = setInterval(() => {
  const seconds = (performance.now() - from) / 1000;
  process.stdout.write(`${JSON.stringify({ eventsPerSecond: Math.round(inserted / seconds) })}\n`);
}, 1000);
await wait(durationMs);
measuring = false;
clearInterval(ticker);
const seconds = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage(cpuFrom);
const result = { eventsPerSecond: inserted / seconds, events: inserted, cpuSeconds: (user + system) / 1e6 };
process.stdout.write(`${JSON.stringify({ result })}\n`);
stopped = true;
process.exit(0);

async function insertForever(client) {
  while (!stopped) {
    const rows = Array.from({ length: rowsPerStatement }, row);
    await client.query({ name: 'bare_insert', text: INSERT, values: [`[${rows.join(',')}]`, uuidv7()] });
    if (measuring) inserted += rowsPerStatement;
  }
}

function row() {
  number += 1;
  const messageId = messageIdOf(run, number);
  const now = new Date().toISOString();
  const payload = sampleEvent(messageId, userIdOf((number * 7_919) % USERS), now);
  const key = createHash('sha256').update(`${sourceId}:${messageId}`).digest('hex').slice(0, 32);
  return JSON.stringify({
    k: key,
    s: `u:${payload.userId}`,
    t: now,
    i: uuidv7(),
    o: sourceId,
    y: payload.type,
    n: payload.event,
    p: { ...payload, originalTimestamp: now, sentAt: now, receivedAt: now },
  });
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
