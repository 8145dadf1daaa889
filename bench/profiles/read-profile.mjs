// GET /profiles/:userId while many events are stored, some of them of one person.
import { createHmac } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { startService } from '../support/service.mjs';
import { figure } from '../support/figures.mjs';

const HEAVY_EVENTS = 50_000;
const EVENTS_PER_USER = 50;
const WEEKS = 8;
const REQUESTS = 1_000;

export async function measure(database, { stored }) {
  const service = await startService({ databaseUrl: database.url });
  try {
    await fill(database.query, stored);
    const headers = { authorization: `Bearer ${token()}` };
    const users = Math.floor((stored - HEAVY_EVENTS) / EVENTS_PER_USER);
    console.log(
      `\nGET /profiles/:userId, ${stored} events stored, ${REQUESTS} requests one after the other (${database.kind})`,
    );
    await time('a person with 50,000 events', () => `${service.url}/profiles/heavy`, headers);
    await time(
      'random people',
      () => `${service.url}/profiles/r${Math.floor(Math.random() * users)}`,
      headers,
    );
  } finally {
    await service.stop();
  }
}

async function time(name, urlOf, headers) {
  const times = [];
  for (let i = 0; i < REQUESTS + 50; i += 1) {
    const from = performance.now();
    const answer = await fetch(urlOf(), { headers });
    const body = await answer.json();
    if (answer.status !== 200 || body.events.length === 0)
      throw new Error(`unexpected answer ${answer.status}`);
    if (i >= 50) times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  figure('profiles: reading one', `${name}, p99`, Number(at(0.99)), 'ms');
  console.log(`  ${name.padEnd(30)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(1)} ms`);
}

/** Events of the last weeks: every week has a partition, and every person has events in all of them. */
async function fill(query, stored) {
  const weekMs = 7 * 86_400_000;
  const now = Date.now();
  for (let week = 1; week <= WEEKS; week += 1) {
    const period = Math.floor(now / weekMs) - week;
    await query(`create table if not exists event_d7_${period} partition of event
      for values from ('${lowestId(period * weekMs)}') to ('${lowestId((period + 1) * weekMs)}')`).catch(
      ignoreOverlap,
    );
  }
  const payload = `json_build_object('type', 'track', 'event', 'Order Completed', 'userId', who, 'messageId', 'm-' || n,
    'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'receivedAt', '2026-01-01T00:00:00.000Z',
    'properties', json_build_object('orderId', n, 'revenue', 9.5, 'currency', 'EUR', 'title', repeat('x', 150)))`;
  const insert = (people, count) => `
    insert into event (subject, "timestamp", id, source_id, type, name, payload)
    select 'u:' || who, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      '0190a000-0000-7000-8000-000000000001', 'track', 'Order Completed', ${payload}
    from (
      select n, ${people} as who, now() - random() * interval '${WEEKS * 7 - 7} days' as at from generate_series(1, ${count}) n
    ) as e`;
  const others = stored - HEAVY_EVENTS;
  await query(insert(`'r' || (n % ${Math.floor(others / EVENTS_PER_USER)})`, others));
  await query(insert(`'heavy'`, HEAVY_EVENTS));
  await query(`
    insert into profile (subject, traits, event_count, event_totals, first_seen_at, last_seen_at)
    select subject, '{"plan": "pro", "email": "somebody@example.com"}', count(*),
      jsonb_build_object('Order Completed', jsonb_build_object('count', count(*), 'first', 0, 'last', 0)),
      min("timestamp"), max("timestamp")
    from event group by subject`);
  await query('vacuum analyze event');
  await query('vacuum analyze profile');
}

function ignoreOverlap(error) {
  if (!/overlap/.test(error.message)) throw error;
}

function lowestId(ms) {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** HS256 over the secret that `startService` sets. */
function token() {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'bench', scope: 'cdp:admin', iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 3600 })}`;
  return `${body}.${createHmac('sha256', 'benchmark-jwt-secret').update(body).digest('base64url')}`;
}
