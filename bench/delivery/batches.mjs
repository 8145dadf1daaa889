// Deliveries per second of one worker to a destination that gets batches, as a part of what it sends to one that gets
// events one by one, in turn.
import { figure } from '../support/figures.mjs';
import { addDeliveries, addDestination, openFixture, startService, untilAllDelivered } from './fixture.mjs';

const SIZES = [100, 1_000];

export async function measureBatches({ redis, databaseUrl, total = 30_000, rounds = 3 }) {
  const fixture = await openFixture({ redis, databaseUrl });
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  try {
    for (const maxEvents of SIZES) {
      const results = [];
      // The first round is not reported: a worker gets faster until it has sent some 60,000.
      for (let round = 0; round <= rounds; round += 1) {
        const single = await drain(fixture, `single ${maxEvents} ${round}`, total);
        const batched = await drain(fixture, `batched ${maxEvents} ${round}`, total, {
          maxEvents,
          flushSeconds: 1,
        });
        if (round > 0) results.push({ single, batched, ratio: batched / single });
      }
      const middle = results.toSorted((a, b) => b.ratio - a.ratio)[Math.floor(results.length / 2)];
      const { single, batched, ratio } = middle;
      console.log(
        `  batches of ${maxEvents}: ${Math.round(batched)}/s, one by one ${Math.round(single)}/s, median ratio ${ratio.toFixed(2)}`,
      );
      figure('delivery: batches', `of ${maxEvents}, one worker process`, batched, 'deliveries/s', single);
    }
  } finally {
    await service.stop();
    await fixture.close();
  }
}

/** A backlog that is sent as soon as its destination is switched on: both find it in the ledger. */
async function drain({ client, receiverUrl }, name, total, batch) {
  const id = await addDestination(client, name, `${receiverUrl}/ok/${name.replaceAll(' ', '/')}`);
  await client.query(
    `update destination set enabled = false, config = config || coalesce($2, '{}')::jsonb where id = $1`,
    [id, batch && JSON.stringify({ batch })],
  );
  await addDeliveries(client, id, total, 0);
  await client.query('vacuum analyze delivery');
  await client.query('checkpoint');
  const start = performance.now();
  await client.query('update destination set enabled = true where id = $1', [id]);
  await untilAllDelivered(client, [id], 300_000);
  return total / ((performance.now() - start) / 1000);
}
