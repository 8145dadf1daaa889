// An outage of an hour at 1,000 events per second, as the ledger has it afterwards; how much Redis it takes, and how
// long until all of it is delivered. --total makes it shorter.
import { setTimeout as delay } from 'node:timers/promises';
import Redis from 'ioredis';
import { addDeliveries, addDestination, openFixture, startService } from './fixture.mjs';
import { figure } from '../support/figures.mjs';

export async function measureBacklog({ redis, total = 300_000 }) {
  const fixture = await openFixture({ redis });
  // The service makes the partitions when it boots.
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const destinationId = await addDestination(
    fixture.client,
    'down for an hour',
    `${fixture.receiverUrl}/down`,
  );
  await addDeliveries(fixture.client, destinationId, total, 0);
  await fixture.client.query('analyze delivery, event');
  const client = fixture.redisUrl === undefined ? undefined : new Redis(fixture.redisUrl);
  let maxBytes = 0;
  const observe = async () => {
    if (client === undefined) return;
    maxBytes = Math.max(maxBytes, Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]));
  };
  try {
    for (let second = 0; second < 10; second += 1) {
      await observe();
      await delay(1_000);
    }
    await fetch(`${fixture.receiverUrl}/control/up`);
    // It is probed at most a minute later; from the first delivery on it is drained.
    let start;
    for (;;) {
      await observe();
      const seen = await (await fetch(`${fixture.receiverUrl}/control/stats`)).json();
      if ((seen['/down']?.received ?? 0) > 0) start ??= performance.now();
      const { rows } = await fixture.client.query(
        `select exists (select from delivery where destination_id = $1 and state = 'pending') as pending`,
        [destinationId],
      );
      if (!rows[0].pending) break;
      await delay(1_000);
    }
    const seconds = (performance.now() - start) / 1000;
    const { rows } = await fixture.client.query('select state, count(*)::int from delivery group by state');
    console.log(
      `  ${total} waited; drained in ${seconds.toFixed(0)} s (${Math.round(total / seconds)}/s): ${JSON.stringify(rows)}`,
    );
    figure('delivery: after an outage', 'draining the backlog', total / seconds, 'deliveries/s');
    console.log(`  Redis never held more than ${(maxBytes / 1e6).toFixed(1)} MB`);
  } finally {
    client?.disconnect();
    await service.stop();
    await fixture.close();
  }
}
