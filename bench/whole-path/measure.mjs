// What the measurements of the whole path share.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** What is under way when the generator stops has so long to arrive. */
const MAX_DRAIN_MS = 30_000;

export async function receivedBy(fixture) {
  const seen = Object.values(await (await fetch(`${fixture.receiverUrl}/control/stats`)).json());
  return {
    received: seen.reduce((sum, { received }) => sum + received, 0),
    distinct: seen.reduce((sum, { distinct }) => sum + distinct, 0),
    latencies: seen.flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
  };
}

/** Milliseconds until nothing is on its way any more. */
export async function untilDelivered(client) {
  const start = performance.now();
  for (;;) {
    const { rows } = await client.query(
      `select exists (select from inbox) or exists (select from delivery where state = 'pending') as busy`,
    );
    if (!rows[0].busy) return performance.now() - start;
    if (performance.now() - start > MAX_DRAIN_MS) throw new Error('Events are stuck on their way.');
    await delay(20);
  }
}

export async function makeSource(client) {
  const writeKey = randomBytes(32).toString('hex');
  await client.query(
    'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
    [randomUUID(), 'benchmark', createHash('sha256').update(writeKey).digest(), ''],
  );
  return writeKey;
}

export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
