// @ts-check
// Mixed events at a steady rate, sent as SDKs do: kept until they are acknowledged.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const BATCH = 20;
const USERS = 5_000;
const RETRY_MS = 250;
const TIMEOUT_MS = 15_000;
const MAX_IN_FLIGHT = 64;
/** Batches follow each other sooner than that while they are accepted. */
const SILENCE_MS = 1_500;
/** Taken, and come later; and where nobody answered. Whatever else a sender is told is wrong. */
const HONEST = new Set([200, 429, 503, 0]);

/**
 * Starts sending. `urls` answers the processes that may be asked now. Without `eventsPerSecond` it sends as fast as they
 * answer.
 * @param {{ urls: () => string[], writeKey: string, eventsPerSecond?: number }} options
 */
export function startTraffic({ urls, writeKey, eventsPerSecond }) {
  const traffic = {
    /** @type {string[]} */
    accepted: [],
    /** @type {number[]} */
    acceptedAt: [],
    /** @type {Record<number, number>} */
    answers: {},
    failedRequests: 0,
    refused: 0,
    inFlight: 0,
    stopped: false,
  };
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  let turn = 0;

  async function deliver(batch) {
    traffic.inFlight += 1;
    const body = JSON.stringify({ batch });
    for (;;) {
      const all = urls();
      const status = await post(all[turn++ % all.length], body, authorization);
      traffic.answers[status] = (traffic.answers[status] ?? 0) + 1;
      if (status === 200) break;
      if (status >= 400 && status < 500 && status !== 429) {
        traffic.refused += batch.length;
        traffic.inFlight -= 1;
        return;
      }
      traffic.failedRequests += 1;
      await delay(RETRY_MS);
    }
    traffic.acceptedAt.push(Date.now());
    for (const { messageId } of batch) traffic.accepted.push(messageId);
    traffic.inFlight -= 1;
  }

  async function run() {
    const startedAt = performance.now();
    for (let sent = 0; !traffic.stopped; sent += BATCH) {
      const dueMs = eventsPerSecond === undefined ? 0 : (sent / eventsPerSecond) * 1000;
      const aheadMs = startedAt + dueMs - performance.now();
      if (aheadMs > 1) await delay(aheadMs);
      while (traffic.inFlight >= MAX_IN_FLIGHT && !traffic.stopped) await delay(5);
      if (!traffic.stopped) void deliver(Array.from({ length: BATCH }, anEvent));
    }
  }
  const running = run();
  return Object.assign(traffic, {
    stop: async () => {
      traffic.stopped = true;
      await running;
      while (traffic.inFlight > 0) await delay(20);
    },
  });
}

/** How many answers were none that a sender may get. */
export function wrongAnswers({ answers }) {
  return Object.entries(answers)
    .filter(([status]) => !HONEST.has(Number(status)))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** For how long nothing was accepted, between two moments. */
export function silenceSeconds({ acceptedAt }, from, to) {
  let silentMs = 0;
  for (const [index, at] of acceptedAt.entries()) {
    const silenceMs = (acceptedAt[index + 1] ?? at) - at;
    if (silenceMs > SILENCE_MS && at + silenceMs > from && at < to)
      silentMs += Math.min(at + silenceMs, to) - Math.max(at, from);
  }
  return Math.round(silentMs / 100) / 10;
}

async function post(url, body, authorization) {
  if (url === undefined) return 0;
  try {
    const answer = await fetch(`${url}/v1/batch`, {
      method: 'POST',
      body,
      headers: { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0; // Nobody listened, cut or too late.
  }
}

function anEvent() {
  const user = randomInt(USERS);
  const event = { messageId: randomUUID(), timestamp: new Date().toISOString(), userId: `user-${user}` };
  const kind = randomInt(10);
  if (kind < 6) {
    return {
      ...event,
      type: 'track',
      event: `Event ${randomInt(20)}`,
      properties: { amount: randomInt(1000) },
    };
  }
  if (kind < 8) return { ...event, type: 'page', name: 'Home', anonymousId: `anonymous-${user}` };
  if (kind < 9) {
    return {
      ...event,
      type: 'identify',
      traits: { plan: ['free', 'pro'][randomInt(2)], logins: randomInt(100) },
    };
  }
  return { ...event, type: 'group', groupId: `group-${user % 50}`, traits: { size: randomInt(500) } };
}
