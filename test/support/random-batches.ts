const BATCH_SIZE = 10;
/** Users, each with another id of old and a visitor. */
export const PEOPLE = 70;
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Numbers from 0 to below `limit`, the same ones each time (mulberry32). */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Answers batches of events, some of which were sent before; the people are called `user-<number>`, or `<people>-<number>`. */
export function randomBatches(
  random: (limit: number) => number,
  name: string,
  people = 'user',
): () => object[] {
  const sent: object[] = [];
  const one = (): object => {
    if (sent.length > 0 && random(10) === 0) return pick(sent, random(sent.length));
    const event = {
      messageId: `${name}-${sent.length}`,
      timestamp: new Date(Date.now() - randomAgeMs(random)).toISOString(),
      ...randomBody(random, people),
    };
    sent.push(event);
    return event;
  };
  return () => Array.from({ length: BATCH_SIZE }, one);
}

/** As late as forty days, and in no order; or an hour ago in a few seconds. */
function randomAgeMs(random: (limit: number) => number): number {
  return random(4) === 0 ? HOUR_MS - random(4_000) : random(40) * DAY_MS + random(DAY_MS);
}

function randomBody(random: (limit: number) => number, people: string): object {
  const userId = `${people}-${random(PEOPLE)}`;
  const anonymousId = `visitor-of-${userId}`;
  const traits = { plan: pick(['free', 'pro', 'team'], random(3)), score: random(100) };
  const properties = { total: random(50), category: pick(['shoes', 'hats'], random(2)) };
  const kind = random(20);
  if (kind < 6) return { type: 'identify', userId, traits };
  if (kind < 10) return { type: 'track', event: pick(['Order', 'Visit'], random(2)), userId, properties };
  if (kind < 11) return { type: 'track', event: 'Order', userId: `old-${userId}`, properties };
  if (kind < 15) return { type: 'track', event: 'Order', anonymousId, properties };
  if (kind < 17) return { type: 'identify', userId, anonymousId, traits };
  if (kind < 18) return { type: 'alias', userId, previousId: `old-${userId}` };
  const groupId = pick(['acme', 'globex'], random(2));
  if (kind < 19) return { type: 'group', userId, groupId };
  const groupTraits = { tier: pick(['gold', 'silver'], random(2)) };
  return { type: 'group', anonymousId, groupId, traits: groupTraits };
}

export function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length] as T;
}
