// What rules about what is in events cost an event: profiles and memberships, one transaction per 100 events, with a year
// of partitions of events. Every tenth event has the name that the rules ask
// about, or one of the names.
import { createRequire } from 'node:module';
import { figure } from '../support/figures.mjs';
import { openBenchDatabase } from '../support/postgres.mjs';
import { addSegment, keepTrait, median, openParts } from './parts.mjs';

const require = createRequire(import.meta.url);
const { uuidv7 } = require('uuidv7');
const { lowestId } = require('../../dist/events/partitions/partition-plan.js');

const USERS = 5_000;
const EVENTS_PER_TRANSACTION = 100;
const WARM_UP = 300;
const TRANSACTIONS = 80;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 50;

const STORE_SQL = `
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select s, t, i, i, 'track', n, p
  from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[], $5::json[]) as e(s, t, i, n, p)`;

export async function measure({ url }) {
  const bench = await openBenchDatabase(url);
  const parts = openParts(bench.url);
  await makePartitions(parts.database);
  let sent = 0;
  const transaction = async () => {
    const events = Array.from({ length: EVENTS_PER_TRANSACTION }, () => anEvent((sent += 1)));
    await store(parts.database, events);
    const start = performance.now();
    await parts.database.transaction(async (tx) => {
      await parts.membership.reevaluate(await parts.profiles.apply(events, tx), tx);
    });
    return ((performance.now() - start) * 1000) / EVENTS_PER_TRANSACTION;
  };
  const repeat = async (count) => {
    const costs = [];
    for (let i = 0; i < count; i += 1) costs.push(await transaction());
    return median(costs);
  };
  await repeat(WARM_UP);
  const without = await repeat(TRANSACTIONS);
  console.log(`no segments: ${without.toFixed(0)} µs/event`);
  const measureWith = (what, count, rulesFor, beside = without) =>
    measureAfter(what, count, (i) => addSegment(parts.database, rulesFor(i), { computed: true }), beside);
  const measureAfter = async (what, count, add, beside = without) => {
    for (let i = 0; i < count; i += 1) await add(i);
    await repeat(TRANSACTIONS / 4);
    const cost = await repeat(TRANSACTIONS);
    figure('segments: what is in events', what, cost, 'µs', beside);
    console.log(`${what}: ${cost.toFixed(0)} µs/event, ${(cost / beside).toFixed(2)}x`);
    return cost;
  };
  await measureWith('50 rules about other events', 50, (i) => [aRule(`Other ${i}`, i)]);
  await parts.database.query('delete from segment');
  await measureWith('50 rules, each about every 500th event', 50, (i) => [aRule(`Kind ${i}`, 50)]);
  await parts.database.query('delete from segment');
  await measureWith('50 rules, five of them about every 50th event', 50, (i) => [
    aRule(`Kind ${i % 10}0`, 50 + i),
  ]);
  await parts.database.query('delete from segment');
  const tenOnFifty = await measureWith('10 segments on 50 values', 10, (i) => rulesOf(5 * i, 5));
  await parts.database.query('delete from segment');
  await measureWith('1,000 segments on 50 values', 1_000, (i) => rulesOf(i, 5), tenOnFifty);
  await parts.database.query('delete from segment');
  await measureWith('a rule about every tenth event', 1, () => [aRule('Event 3', 50)]);
  await measureWith('10 rules about every tenth event', 9, (i) => [aRule('Event 3', 51 + i)]);
  await measureWith('50 rules about every tenth event', 40, (i) => [aRule('Event 3', 60 + i)]);
  await parts.database.query('delete from segment');
  await measureWith('a sequence about every tenth event', 1, () => [aSequence(0)]);
  await measureWith('10 sequences about every tenth event', 9, (i) => [aSequence(1 + i)]);
  await parts.database.query('delete from segment');
  const keep = (n) => {
    const { operator: _operator, value: _value, ...definition } = aRule('Event 3', 50 + n);
    return keepTrait(parts.database, definition);
  };
  await measureAfter('a computed trait about every tenth event, kept', 1, keep);
  await measureAfter('10 computed traits about every tenth event, kept', 9, (i) => keep(i + 1));
  await parts.close();
  await bench.close();
}

async function makePartitions(database) {
  const rows = await database.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass`,
  );
  const known = new Set(rows.map(({ name }) => name));
  const now = Math.floor(Date.now() / WEEK_MS);
  for (let week = now - WEEKS; week <= now; week += 1) {
    const range = `from ('${lowestId(week * WEEK_MS)}') to ('${lowestId((week + 1) * WEEK_MS)}')`;
    if (known.has(`event_d7_${week}`)) continue;
    await database.query(`create table event_d7_${week} partition of event for values ${range}`);
  }
}

/** Some of 50 values, of ten names of events that every tenth event has. */
function rulesOf(from, count) {
  return Array.from({ length: count }, (_, i) => aRule(`Kind ${(from + i) % 10}0`, 50 + ((from + i) % 50)));
}

function aSequence(n) {
  const where = [{ field: 'properties.total', operator: 'gt', value: n }];
  const steps = [
    { event: 'Event 3', where },
    { event: 'Event 3', within: '7d' },
  ];
  return { sequence: steps, not: { event: 'Event 3', within: '1d', where }, within: '30d' };
}

function aRule(event, n) {
  const where = [
    { field: 'properties.category', operator: 'eq', value: 'shoes' },
    { field: 'properties.n', operator: 'gt', value: n },
  ];
  return { event, where, aggregate: 'sum', of: 'properties.n', within: '30d', operator: 'gte', value: n };
}

function anEvent(n) {
  const id = uuidv7();
  const userId = `user-${(n * 7919) % USERS}`;
  const timestamp = new Date(Date.now() - (n % 20) * DAY_MS).toISOString();
  return {
    id,
    sourceId: id,
    subject: `u:${userId}`,
    messageId: id,
    timestamp,
    receivedAt: timestamp,
    userId,
    type: 'track',
    event: nameOf(n),
    properties: { n, category: n % 3 === 0 ? 'hats' : 'shoes' },
  };
}

/** Every tenth event is of the 50 kinds, one after the other; when rules are about `Event 3`, every tenth is, too. */
function nameOf(n) {
  return n % 10 === 7 ? `Kind ${Math.floor(n / 10) % 50}` : `Event ${n % 10}`;
}

function store(database, events) {
  return database.query(STORE_SQL, [
    events.map(({ subject }) => subject),
    events.map(({ timestamp }) => timestamp),
    events.map(({ id }) => id),
    events.map(({ event }) => event),
    events.map((event) => JSON.stringify(event)),
  ]);
}
