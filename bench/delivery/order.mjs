// Deliveries per second of one worker to a destination with an order, as a part of what it sends to one without, in turn.
import { figure } from '../support/figures.mjs';
import { addDeliveries, addDestination, openFixture, secondsToDeliver, startService } from './fixture.mjs';

const PEOPLE = 1_000;
const ORDER = { by: 'person', maxWaitSeconds: 3600, maxWaiting: 1000, afterwards: 'pass' };

export async function measureOrder({ redis, databaseUrl, total = 30_000, rounds = 3 }) {
  const fixture = await openFixture({ redis, databaseUrl });
  const service = await startService(fixture, { CDP_ROLES: 'worker' });
  const results = [];
  try {
    // The first round is not reported: a worker gets faster until it has sent some 60,000.
    for (let round = 0; round <= rounds; round += 1) {
      const free = await drain(fixture, `free ${round}`, total, false);
      const ordered = await drain(fixture, `ordered ${round}`, total, true);
      if (round === 0) continue;
      results.push({ free, ordered, ratio: ordered / free });
      console.log(
        `  round ${round}: without order ${Math.round(free)}/s, with ${Math.round(ordered)}/s, ratio ${(ordered / free).toFixed(2)}`,
      );
    }
  } finally {
    await service.stop();
    await fixture.close();
  }
  const middle = results.toSorted((a, b) => b.ratio - a.ratio)[Math.floor(results.length / 2)];
  console.log(`  median ratio ${middle.ratio.toFixed(2)}, ${PEOPLE} people`);
  figure(
    'delivery: order',
    `${PEOPLE} people, one worker process`,
    middle.ordered,
    'deliveries/s',
    middle.free,
  );
  return results;
}

/** A backlog that is sent as soon as its destination is switched on: both find it in the ledger. */
async function drain(fixture, name, total, isOrdered) {
  const { client, receiverUrl } = fixture;
  const path = `/ok/${name.replace(' ', '/')}`;
  const destinationId = await addDestination(client, name, `${receiverUrl}${path}`);
  await client.query('update destination set enabled = false, ordering = $2 where id = $1', [
    destinationId,
    isOrdered ? ORDER : null,
  ]);
  await addDeliveries(client, destinationId, total, 0);
  if (isOrdered) {
    await client.query(
      `update delivery d set person = hashtextextended(subject, 0) % ${PEOPLE}, place = n, due_at = 'infinity'
       from (select id, row_number() over (order by id) as n from delivery where destination_id = $1) as o
       where d.id = o.id`,
      [destinationId],
    );
  }
  await client.query('vacuum analyze delivery');
  await client.query('checkpoint');
  const switchOn = () => client.query('update destination set enabled = true where id = $1', [destinationId]);
  return total / (await secondsToDeliver(switchOn, fixture, { destinationId, path, total }));
}
