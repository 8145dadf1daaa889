// npm run bench -- tail: how long after its 200 an event is seen by somebody who watches.
//    --rates 1,500       events per second, in 50 requests at most; 10 of them a second are watched
//    --seconds 30        length of each measurement
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeSource } from '../whole-path/measure.mjs';
import { addDestination, openFixture, startService } from '../delivery/fixture.mjs';
import { accessToken } from '../support/access-token.mjs';
import { figure } from '../support/figures.mjs';

const WARM_MS = 5_000;
/** Of the events, those that somebody watches; the tail shows 50 a second, and a busy machine sends in bursts. */
const WATCHED_PER_SECOND = 10;
/** What was not seen by then is lost. */
const PATIENCE_MS = 5_000;
const REQUESTS_PER_SECOND = 50;
const WATCHED = 'Watched';
const PEOPLE = 500;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      rates: { type: 'string', default: '1,500' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const fixture = await openFixture({ redis: true });
  let service;
  try {
    const writeKey = await makeSource(fixture.client);
    await addDestination(fixture.client, 'receiver', `${fixture.receiverUrl}/timed/0`);
    service = await startService(fixture);
    const watched = await watch(service.url);
    await send({ url: service.url, writeKey, rate: 20, ms: WARM_MS });
    for (const rate of values.rates.split(',').map(Number)) {
      const answered = await send({ url: service.url, writeKey, rate, ms: Number(values.seconds) * 1_000 });
      await delay(PATIENCE_MS);
      tell(rate, answered, watched.seenAt);
    }
    watched.stop();
  } finally {
    await service?.stop();
    await fixture.close();
  }
}

/** When each event was seen, by messageId, from now on. */
async function watch(url) {
  const token = await accessToken('bench-jwt-secret-of-some-length', 'cdp:read');
  const end = new AbortController();
  const response = await fetch(`${url}/events/tail?outcome=accepted&name=${WATCHED}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  });
  if (response.status !== 200) throw new Error(`The tail was answered with ${response.status}.`);
  const seenAt = new Map();
  const follow = async () => {
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const now = performance.now();
      text += chunk;
      for (const [, messageId] of text.matchAll(/"messageId":"(w-[^"]+)"/g))
        if (!seenAt.has(messageId)) seenAt.set(messageId, now);
      text = text.slice(text.lastIndexOf('\n'));
    }
  };
  follow().catch(() => undefined); // Ended by `stop`.
  return { seenAt, stop: () => end.abort() };
}

/** Sends events at a rate, and answers when those that are watched got their 200, by messageId. */
async function send({ url, writeKey, rate, ms }) {
  const answeredAt = new Map();
  const underWay = [];
  const startedAt = performance.now();
  const size = Math.ceil(rate / REQUESTS_PER_SECOND);
  for (let sent = 0; sent < (rate * ms) / 1_000; sent += size) {
    const waitMs = startedAt + (sent * 1_000) / rate - performance.now();
    if (waitMs > 1) await delay(waitMs);
    const events = Array.from({ length: size }, (_, n) => makeEvent(sent + n, rate));
    underWay.push(post(url, writeKey, events, answeredAt));
  }
  await Promise.all(underWay);
  return answeredAt;
}

function makeEvent(number, rate) {
  const isWatched = number % Math.ceil(rate / WATCHED_PER_SECOND) === 0;
  return {
    messageId: `${isWatched ? 'w' : 'o'}-${randomUUID()}`,
    type: 'track',
    event: isWatched ? WATCHED : 'Other',
    userId: `tail-${number % PEOPLE}`,
    properties: { sentAtMs: Date.now() },
  };
}

async function post(url, writeKey, batch, answeredAt) {
  const response = await fetch(`${url}/v1/batch?defaults=true`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ batch }),
  });
  const now = performance.now();
  await response.arrayBuffer();
  // What a machine is too busy to take is not in the tail.
  if (response.status !== 200) return;
  for (const { messageId } of batch) if (messageId.startsWith('w-')) answeredAt.set(messageId, now);
}

function tell(rate, answeredAt, seenAt) {
  const waits = [...answeredAt]
    .filter(([messageId]) => seenAt.has(messageId))
    .map(([messageId, at]) => Math.max(0, seenAt.get(messageId) - at))
    .sort((a, b) => a - b);
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  console.log(`${rate}/s: ${waits.length} of ${answeredAt.size} watched events were seen`);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
    ['the last', 1],
  ])
    figure('tail', `from the 200 to whoever watches, at ${rate}/s, ${name}`, at(share), 'ms');
}
