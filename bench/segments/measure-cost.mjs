// @ts-check
// What rules about what is in events cost an event: the transaction that takes 100 events out of the inbox, updates
// profiles and memberships, with a year of partitions of events. Every tenth event has the name that the rules ask about, or one of ten names, and one of five
// categories: rules about names and categories have 50 values, of which such an event counts for one.
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { sampleEvent } from '../ingest/sample-event.mjs';
import { figure } from '../support/figures.mjs';
import { openBenchDatabase } from '../support/postgres.mjs';
import { makePartitions } from './event-partitions.mjs';
import { addSegment, keepTrait, median, openParts, removeAll } from './parts.mjs';

const USERS = 5_000;
const EVENTS_PER_TRANSACTION = 100;
const WARM_UP = 300;
const TRANSACTIONS = 80;
const DAY_MS = 86_400_000;
const KINDS = 10;
const CATEGORIES = ['shoes', 'hats', 'coats', 'bags', 'belts'];

export async function measure({ url }) {
  const bench = await openBenchDatabase(url);
  const parts = openParts(bench.url);
  await makePartitions(parts.database);
  let sent = 0;
  const storing = [];
  const transaction = async () => {
    const events = Array.from({ length: EVENTS_PER_TRANSACTION }, () => anEvent((sent += 1)));
    const received = performance.now();
    const { inboxId } = await parts.store.store(events);
    const start = performance.now();
    storing.push(((start - received) * 1000) / EVENTS_PER_TRANSACTION);
    await parts.transactions.process([String(inboxId)], async (taken, tx) => {
      await parts.membership.reevaluate(await parts.profiles.apply(taken, tx), tx);
    });
    return ((performance.now() - start) * 1000) / EVENTS_PER_TRANSACTION;
  };
  const repeat = async (count) => {
    const costs = [];
    for (let i = 0; i < count; i += 1) costs.push(await transaction());
    return median(costs);
  };
  await repeat(WARM_UP);
  const measureAfter = async (what, count, add) => {
    const before = await repeat(TRANSACTIONS);
    for (let i = 0; i < count; i += 1) await add(i);
    await repeat(TRANSACTIONS / 4);
    const cost = await repeat(TRANSACTIONS);
    await removeAll(parts.database);
    await repeat(TRANSACTIONS / 4);
    // Beside what it is without them, in the same minute: tables grow and machines change.
    const without = (before + (await repeat(TRANSACTIONS))) / 2;
    figure('segments: what is in events', what, cost, 'µs', without);
    console.log(
      `${what}: ${without.toFixed(0)} µs/event without, ${cost.toFixed(0)} with, ${(cost / without).toFixed(2)}x`,
    );
    return cost;
  };
  const measureWith = (what, count, rulesFor) =>
    measureAfter(what, count, (i) => addSegment(parts.database, rulesFor(i), { computed: true }));
  await measureWith('50 rules about other events', 50, (i) => [aRule(`Other ${i}`, i)]);
  await measureWith('50 segments on 50 values', 50, (i) => rulesOf(i, 1));
  await measureWith('a rule about every tenth event', 1, () => [aRule('Event 3', 50)]);
  await measureWith('10 rules about every tenth event', 10, (i) => [aRule('Event 3', 50 + i)]);
  await measureWith('50 rules about every tenth event', 50, (i) => [aRule('Event 3', 50 + i)]);
  await measureWith('a sequence about every tenth event', 1, () => [aSequence(0)]);
  await measureWith('10 sequences about every tenth event', 10, (i) => [aSequence(i)]);
  const keep = (n) => {
    const { operator: _operator, value: _value, ...definition } = aRule('Event 3', 50 + n);
    return keepTrait(parts.database, definition);
  };
  await measureAfter('a computed trait about every tenth event, kept', 1, keep);
  await measureAfter('10 computed traits about every tenth event, kept', 10, keep);
  const ten = await measureWith('10 segments on 50 values', 10, (i) => rulesOf(5 * i, 5));
  const thousand = await measureWith('1,000 segments on 50 values', 1_000, (i) => rulesOf(i, 5));
  figure('segments: what is in events', '1,000 segments on 50 values, beside 10', thousand, 'µs', ten);
  console.log(`1,000 segments on 50 values, beside 10: ${(thousand / ten).toFixed(2)}x`);
  console.log(`storing them, before that: ${median(storing).toFixed(0)} µs/event`);
  await parts.close();
  await bench.close();
}

/** Some of 50 values, of which every tenth event counts for one. */
function rulesOf(from, count) {
  return Array.from({ length: count }, (_, i) => {
    const at = (from + i) % 50;
    return aRule(`Kind ${at % KINDS}`, 50, CATEGORIES[Math.floor(at / KINDS)]);
  });
}

function aSequence(n) {
  const where = [{ field: 'properties.total', operator: 'gt', value: n }];
  const steps = [
    { event: 'Event 3', where },
    { event: 'Event 3', within: '7d' },
  ];
  return { sequence: steps, not: { event: 'Event 3', within: '1d', where }, within: '30d' };
}

function aRule(event, n, category = 'shoes') {
  const where = [
    { field: 'properties.category', operator: 'eq', value: category },
    { field: 'properties.n', operator: 'gt', value: n },
  ];
  return { event, where, aggregate: 'sum', of: 'properties.n', within: '30d', operator: 'gte', value: n };
}

/** @returns {import('#dist/events/event-store').StorableEvent} */
function anEvent(n) {
  const id = uuidv7();
  const userId = `user-${(n * 7919) % USERS}`;
  const timestamp = new Date(Date.now() - (n % 20) * DAY_MS).toISOString();
  const { event: _event, anonymousId: _anonymousId, ...sample } = sampleEvent(id, userId, timestamp);
  const properties = { n, category: CATEGORIES[randomOf(n + 1_000_000_000) % CATEGORIES.length] };
  const event = nameOf(n);
  return {
    id,
    key: randomUUID(),
    sourceId: id,
    subject: `u:${userId}`,
    type: 'track',
    name: event,
    timestampMs: Date.parse(timestamp),
    payload: Buffer.from(JSON.stringify({ ...sample, event, receivedAt: timestamp, properties })),
  };
}

/** Every tenth event is of one of the kinds; when rules are about `Event 3`, every tenth is, too. Whoever it is that has it. */
function nameOf(n) {
  const chance = randomOf(n);
  const digit = chance % 10;
  return digit === 7 ? `Kind ${Math.floor(chance / 10) % KINDS}` : `Event ${digit}`;
}

/** The same number for the same event each time (a round of mulberry32). */
function randomOf(n) {
  const mixed = Math.imul(n ^ (n >>> 15), 0x2c1b3c6d);
  const more = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (more ^ (more >>> 15)) >>> 0;
}
