// What goes wrong, one thing at a time, at moments that a seed can repeat.
import { setTimeout as delay } from 'node:timers/promises';
import { MISBEHAVIOURS } from './receivers.mjs';

const MIN_PAUSE_S = 10;
const MAX_PAUSE_S = 30;
const MIN_OUTAGE_S = 3;
const MAX_OUTAGE_S = 15;

/**
 * Runs faults until `until`, at random or `inTurn`. Answers when each began, and when what it broke was there again.
 * @param kindsWith makes the kinds of faults, each a name and its cause, of what is random
 */
export async function runFaults({ seed, until, inTurn = false, kindsWith, log }) {
  const random = generator(seed);
  const between = (low, high) => low + random() * (high - low);
  const pick = (items) => items[Math.floor(random() * items.length)];
  const kinds = kindsWith({ between, pick });
  const happened = [];
  for (;;) {
    await delay(Math.min(between(MIN_PAUSE_S, MAX_PAUSE_S) * 1000, Math.max(0, until - Date.now())));
    if (Date.now() >= until) return happened;
    const [name, cause] = inTurn ? kinds[happened.length % kinds.length] : pick(kinds);
    log(name);
    const from = Date.now();
    await cause();
    happened.push({ name, from, to: Date.now() });
  }
}

/** How often each happened. */
export function countByName(happened) {
  const counts = {};
  for (const { name } of happened) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** What may fail around a service on a PostgreSQL. */
export function faultsOf(world, { between, pick }) {
  return [
    ['process killed', () => world.killService(pick(world.mortals))],
    ['process stopped', () => world.stopService(pick(world.mortals))],
    ['PostgreSQL crashed', () => world.crashPostgres()],
    ...(world.killPostgres === undefined ? [] : [['PostgreSQL killed', () => world.killPostgres()]]),
    ...(world.killRedis === undefined
      ? []
      : [['Redis lost', () => world.killRedis(between(1, MIN_OUTAGE_S) * 1000)]]),
    ['receiver misbehaved', () => misbehave(pick(world.receivers), pick(MISBEHAVIOURS), between)],
  ];
}

async function misbehave(receiver, mode, between) {
  receiver.mode = mode;
  await delay(between(MIN_OUTAGE_S, MAX_OUTAGE_S) * 1000);
  receiver.mode = 'good';
}

/** mulberry32: small, repeatable. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
