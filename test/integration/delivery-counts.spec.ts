import { randomUUID } from 'node:crypto';
import { DeliveryMetrics } from '../../src/delivery/metrics/delivery.metrics';
import { DeliveryCounter } from '../../src/delivery/stats/delivery-counter';
import { failingSince } from '../../src/delivery/stats/failing-since';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { Metrics } from '../../src/platform/metrics/metrics';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

describe('counts of deliveries', () => {
  let test: ConnectedDatabase;
  let database: Database;
  let counter: DeliveryCounter;
  let destinationId: string;

  beforeAll(async () => {
    test = await connectTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
  });
  beforeEach(async () => {
    counter = new DeliveryCounter(database, new DeliveryMetrics(new Metrics()));
    destinationId = randomUUID();
    await test.client.query(
      `insert into destination (id, name, type, secrets_sealed) values ($1, 'Receiver', 'webhook', '')`,
      [destinationId],
    );
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  async function switchOn(inSeconds: number): Promise<void> {
    await test.client.query(
      `insert into destination_health (destination_id, since) values ($1, now() + $2 * interval '1 second')`,
      [destinationId, inSeconds],
    );
  }

  it('are of the time of the try: what failed before a switch says nothing of after it, whenever it is written', async () => {
    counter.countDead(destinationId, 'dead');
    // So much later that it is after the try, however slow the machine is.
    await switchOn(60);
    await counter.onModuleDestroy();
    const { rows } = await test.client.query(
      `select count, minute < since and first_at < since as "isBefore", minute <= first_at as "isInOrder"
       from delivery_minute join destination_health using (destination_id) where destination_id = $1`,
      [destinationId],
    );
    expect(rows).toEqual([{ count: 1, isBefore: true, isInOrder: true }]);
  });

  it('of what fails after a switch say that it does', async () => {
    await switchOn(-1);
    counter.countDead(destinationId, 'dead');
    await counter.onModuleDestroy();
    expect((await failingSince([destinationId], database)).has(destinationId)).toBe(true);
  });

  const tried = async (minutesAgo: number, delivered: number, dead: number): Promise<void> => {
    await test.client.query(
      `insert into delivery_minute (destination_id, minute, outcome, latency_class, count)
       select $1, date_trunc('minute', now()) - $2 * interval '1 minute', outcome, 0, count
       from (values ('delivered', $3::int), ('dead', $4::int)) as t(outcome, count) where count > 0`,
      [destinationId, minutesAgo, delivered, dead],
    );
  };

  // Minutes ago, delivered, dead.
  it.each([
    [
      'nothing has succeeded since, though it did within the hour',
      [
        [30, 100, 0],
        [8, 0, 15],
      ],
      true,
    ],
    [
      'nothing has succeeded since, in the minutes before and the newest one',
      [
        [9, 5, 0],
        [8, 0, 1],
      ],
      true,
    ],
    [
      'something succeeded in the newest minute',
      [
        [9, 0, 15],
        [8, 1, 1],
      ],
      false,
    ],
    [
      'few failed in the five minutes until then',
      [
        [9, 1_000, 0],
        [8, 0, 1],
      ],
      false,
    ],
    [
      'something succeeded after it',
      [
        [40, 0, 15],
        [8, 1, 0],
      ],
      false,
    ],
  ])('of a while ago say that it fails, or not, when %s', async (_, tries, isFailing) => {
    for (const [minutesAgo, delivered, dead] of tries as [number, number, number][]) {
      await tried(minutesAgo, delivered, dead);
    }
    expect((await failingSince([destinationId], database)).has(destinationId)).toBe(isFailing);
  });
});
