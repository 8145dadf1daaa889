import { randomUUID } from 'node:crypto';
import { personKey } from '../../src/delivery/order/person-key';
import { ReplayedEvents } from '../../src/delivery/replay/replayed-events';
import { OrderUpkeep } from '../../src/delivery/upkeep/order-upkeep';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { Database } from '../../src/platform/database/database';
import { aSource, type TestSource } from '../support/a-source';
import { type ApiClient, anApiClient } from '../support/api-client';
import { ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '100',
  CDP_DELIVERY_BACKOFF_CAP_MS: '1000',
  CDP_DELIVERY_MAX_ATTEMPTS: '6',
  CDP_BREAKER_FAILURES: '100',
};
const SLOW = { ...FAST, CDP_DELIVERY_BACKOFF_MS: '600000', CDP_DELIVERY_BACKOFF_CAP_MS: '600000' };

interface Sent {
  readonly type?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly event: string;
}

describe.each(queueKinds())('an order per person on %s queues', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let source: TestSource;

  async function start(env: Record<string, string> = FAST): Promise<void> {
    service = await startTestService({ queue, env });
    api = await anApiClient(service);
    source = await aSource(service.databaseUrl);
  }
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await service.close();
    await receiver.stop();
  });

  async function aDestination(members: object = { order: { by: 'person' } }): Promise<string> {
    const config = { url: receiver.url };
    const { status, body } = await api.post('/destinations', {
      name: 'Ordered',
      type: 'webhook',
      config,
      ...members,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.id;
  }

  /** One request. */
  async function send(...events: Sent[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const batch = events.map((event) => ({ type: 'track', messageId: randomUUID(), timestamp, ...event }));
    const answer = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ batch }),
    });
    expect(answer.status).toBe(200);
  }

  /** The names of what arrived of a person, each at its first try. */
  function arrived(userId?: string): string[] {
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Sent);
    const own = bodies.filter((body) => userId === undefined || body.userId === userId);
    return [...new Set(own.map(({ event, type }) => event ?? type ?? ''))];
  }

  /** Refuses these names for now; answers the rest. */
  function refuse(names: readonly string[]): void {
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(names.includes(JSON.parse(body).event) ? 503 : 200).end();
    };
  }

  it('sends what waits behind a try that failed only once that one has arrived, and holds up nobody else', async () => {
    await start();
    await aDestination();
    refuse(['1']);
    await send({ userId: 'ada', event: '1' }, { userId: 'ada', event: '2' });
    await send({ userId: 'ada', event: '3' }, { userId: 'grace', event: 'hers' });
    await eventually(() => expect(arrived()).toEqual(expect.arrayContaining(['1', 'hers'])));
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(3));
    expect(arrived('ada')).toEqual(['1']);
    refuse([]);
    await eventually(() => expect(arrived('ada')).toEqual(['1', '2', '3']));
  });

  it('goes on behind a delivery that was given up', async () => {
    await start();
    const id = await aDestination();
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(JSON.parse(body).event === '1' ? 400 : 200).end();
    };
    await send({ userId: 'ada', event: '1' }, { userId: 'ada', event: '2' });
    await eventually(() => expect(arrived()).toEqual(['1', '2']));
    await eventually(async () =>
      expect((await ledgerOf(service, id)).map(({ state }) => state)).toEqual(['dead', 'delivered']),
    );
  });

  it('keeps one order of a visitor who becomes a user', async () => {
    await start();
    await aDestination();
    refuse(['as visitor']);
    await send({ anonymousId: 'v', event: 'as visitor' }, { anonymousId: 'v', event: 'as visitor, later' });
    await eventually(() => expect(arrived()).toEqual(['as visitor']));
    await send({ type: 'identify', anonymousId: 'v', userId: 'ada', event: 'who' });
    await send({ userId: 'ada', event: 'as user' });
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(2));
    expect(arrived()).toEqual(['as visitor']);
    refuse([]);
    await eventually(() => expect(arrived()).toEqual(['as visitor', 'as visitor, later', 'who', 'as user']));
  });

  it('tries again within a second what another transaction had when its retry was due', async () => {
    await start();
    const id = await aDestination();
    refuse(['1']);
    await send({ userId: 'ada', event: '1' });
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ attempts: 1 }));
    const database = service.app.get(Database);
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query('select from delivery for update');
      const tries = receiver.received.length;
      const queue = service.app.get(JobDispatcher).queue('delivery-retries');
      // Moved by more than a try waits.
      await eventually(async () => expect((await queue.getDelayed())[0]?.delay).toBeGreaterThan(500));
      expect(receiver.received).toHaveLength(tries);
    } finally {
      await other.query('rollback');
      other.release();
    }
    refuse([]);
    // By itself the ledger would give it to a worker half a minute later.
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1), 10_000);
  });

  it('sends what came while it was paused in order, and what came before first', async () => {
    await start();
    const id = await aDestination();
    await api.put(`/destinations/${id}`, { enabled: false });
    const names = Array.from({ length: 20 }, (_, n) => String(n));
    for (const event of names) await send({ userId: 'ada', event });
    await api.put(`/destinations/${id}`, { enabled: true });
    await eventually(() => expect(arrived()).toEqual(names));
  });

  it('passes one that others wait too long for, visibly, and goes on with its tries', async () => {
    await start(SLOW);
    const id = await aDestination({ order: { by: 'person', maxWaitSeconds: 1 } });
    refuse(['1']);
    await send({ userId: 'ada', event: '1' }, { userId: 'ada', event: '2' });
    await eventually(() => expect(arrived()).toEqual(['1', '2']));
    const passed = await eventually(async () => {
      const { body } = await api.get(`/destinations/${id}/deliveries?state=pending`);
      expect(body).toMatchObject([{ attempts: 1, passedAt: expect.any(String) }]);
      return body[0];
    });
    refuse([]);
    await api.post(`/deliveries/${passed.id}/retry`, {});
    await eventually(async () =>
      expect((await ledgerOf(service, id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
    );
  });

  it('keeps the order when all that waits for the destination is retried', async () => {
    await start(SLOW);
    const id = await aDestination();
    refuse(['1']);
    await send(...['1', '2', '3'].map((event) => ({ userId: 'ada', event })));
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ attempts: 1 }));
    refuse([]);
    expect((await api.post(`/destinations/${id}/retry`)).body).toMatchObject({ deliveries: 1 });
    await eventually(() => expect(arrived()).toEqual(['1', '2', '3']));
    expect(receiver.received).toHaveLength(4);
  });

  it('gives one up that too many wait for, where that is asked for', async () => {
    await start(SLOW);
    const id = await aDestination({ order: { by: 'person', maxWaiting: 2, afterwards: 'dead_letter' } });
    refuse(['1']);
    await send(...['1', '2', '3'].map((event) => ({ userId: 'ada', event })));
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ attempts: 1 }));
    await service.app.get(OrderUpkeep, { strict: false }).tidy();
    expect(arrived()).toEqual(['1']);
    await send({ userId: 'ada', event: '4' });
    await eventually(() => expect(arrived()).toEqual(['1', '2', '3', '4']));
    const { body } = await api.get(`/dead-letters?destinationId=${id}`);
    expect(body).toMatchObject([{ reason: 'order_limit', attempts: 1 }]);
  });

  it('ends the waits of a destination although those of another one cannot be ended', async () => {
    await start(SLOW);
    const order = { by: 'person', maxWaiting: 2 };
    const broken = await aDestination({ name: 'Broken', order });
    const id = await aDestination({ name: 'Whole', order });
    const database = service.app.get(Database);
    await database.query(
      `create function refuse_to_pass() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`,
    );
    await database.query(
      `create trigger refuse_to_pass before update on delivery for each row
       when (new.destination_id = '${broken}' and new.passed_at is not null) execute function refuse_to_pass()`,
    );
    refuse(['1']);
    await send(...['1', '2', '3', '4'].map((event) => ({ userId: 'ada', event })));
    const statesOf = async (destinationId: string): Promise<string[]> =>
      (await ledgerOf(service, destinationId)).map(({ state }) => state);
    await eventually(async () =>
      expect(await statesOf(id)).toEqual(['pending', 'delivered', 'delivered', 'delivered']),
    );
    expect(await statesOf(broken)).toEqual(Array(4).fill('pending'));
  });

  it('finds out that the receiver is down although few people have a delivery on its way', async () => {
    await start({ ...FAST, CDP_BREAKER_FAILURES: '5' });
    const id = await aDestination({ order: { by: 'person', maxWaitSeconds: 10 } });
    receiver.answer(503);
    await send({ userId: 'ada', event: '1' }, { userId: 'ada', event: '2' }, { userId: 'grace', event: '1' });
    await eventually(async () => {
      const [first] = (await api.get(`/destinations/${id}/deliveries`)).body;
      expect((await api.get(`/deliveries/${first.id}`)).body).toMatchObject({ waitsFor: 'destination_down' });
    });
    receiver.answer(200);
    await eventually(() => expect(arrived('ada')).toEqual(['1', '2']));
    const { body } = await api.get(`/destinations/${id}/deliveries`);
    expect(body).toMatchObject(Array.from({ length: 3 }, () => ({ passedAt: null })));
  });

  it('says of a delivery which one it waits for', async () => {
    await start(SLOW);
    const id = await aDestination();
    refuse(['1']);
    await send({ userId: 'ada', event: '1' }, { userId: 'ada', event: '2' });
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ attempts: 1 }));
    const [first, second] = await ledgerOf(service, id);
    const { body } = await api.get(`/deliveries/${second!.id}`);
    expect(body).toMatchObject({ waitsFor: 'earlier_delivery', waitsBehind: first!.id });
    expect((await api.get(`/deliveries/${first!.id}`)).body).toMatchObject({
      waitsFor: 'next_try',
      waitsBehind: null,
    });
  });

  it('lets nothing get past what was pending when it was switched on, and everything when it is switched off', async () => {
    await start();
    const id = await aDestination({});
    refuse(['1']);
    await send({ userId: 'ada', event: '1' });
    await eventually(() => expect(arrived()).toEqual(['1']));
    await api.put(`/destinations/${id}`, { order: { by: 'person' } });
    await send({ userId: 'ada', event: '2' });
    const tries = receiver.received.length;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(tries));
    expect(arrived()).toEqual(['1']);
    refuse(['2']);
    await eventually(() => expect(arrived()).toEqual(['1', '2']));
    await send({ userId: 'ada', event: '3' });
    await api.put(`/destinations/${id}`, { order: null });
    await eventually(() => expect(arrived()).toEqual(['1', '2', '3']));
  });

  it('puts a dead letter that is replayed behind what waits', async () => {
    await start();
    const id = await aDestination();
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(JSON.parse(body).event === '1' ? 400 : 200).end();
    };
    await send({ userId: 'ada', event: '1' });
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ state: 'dead' }));
    refuse(['2']);
    await send({ userId: 'ada', event: '2' }, { userId: 'ada', event: '3' });
    await eventually(() => expect(arrived()).toEqual(['1', '2']));
    const [letter] = await ledgerOf(service, id);
    receiver.received.splice(0);
    await api.post(`/dead-letters/${letter!.id}/replay`, {});
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    expect(arrived()).toEqual(['2']);
    refuse([]);
    await eventually(() => expect(arrived()).toEqual(['2', '3', '1']));
  });

  it('puts a dead letter from before it was switched on behind what waits', async () => {
    await start();
    const id = await aDestination({});
    receiver.answer(400);
    await send({ userId: 'ada', event: '1' });
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ state: 'dead' }));
    await api.put(`/destinations/${id}`, { order: { by: 'person' } });
    refuse(['2']);
    await send({ userId: 'ada', event: '2' }, { userId: 'ada', event: '3' });
    await eventually(() => expect(arrived()).toEqual(['1', '2']));
    const [letter] = await ledgerOf(service, id);
    receiver.received.splice(0);
    await api.post(`/dead-letters/${letter!.id}/replay`, {});
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    expect(arrived()).toEqual(['2']);
    refuse([]);
    await eventually(() => expect(arrived()).toEqual(['2', '3', '1']));
  });

  it('puts a dead letter of a visitor behind what waits for the user that the visitor has become', async () => {
    await start();
    const id = await aDestination();
    receiver.behaviour = (_, response) => void response.writeHead(400).end();
    await send({ anonymousId: 'v', event: '1' });
    await eventually(async () => expect((await ledgerOf(service, id))[0]).toMatchObject({ state: 'dead' }));
    refuse(['2']);
    await send({ type: 'identify', anonymousId: 'v', userId: 'ada', event: 'who' });
    await send({ userId: 'ada', event: '2' }, { userId: 'ada', event: '3' });
    await eventually(() => expect(arrived()).toEqual(['1', 'who', '2']));
    const [letter] = await ledgerOf(service, id);
    receiver.received.splice(0);
    await api.post(`/dead-letters/${letter!.id}/replay`, {});
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    expect(arrived()).toEqual(['2']);
    refuse([]);
    await eventually(() => expect(arrived()).toEqual(['2', '3', '1']));
  });

  it('has what is replayed while a visitor becomes a user in the order of the user', async () => {
    await start();
    await send({ anonymousId: 'v', event: '1' });
    await eventually(async () =>
      expect((await api.get('/profiles?anonymousId=v')).body).toMatchObject([{ eventCount: 1 }]),
    );
    const id = await aDestination();
    const [database, replayed] = [service.app.get(Database), service.app.get(ReplayedEvents)];
    const isWaiting = async (): Promise<void> => {
      const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await database.query(sql)).not.toEqual([]);
    };
    await database.transaction(async (tx) => {
      const filter = { fromId: lowestId(0), toId: lowestId(Date.now() + DAY_MS), reason: null };
      const { wanted } = await replayed.read({ destinationId: id, filter, after: undefined, limit: 10 }, tx);
      await replayed.write({ id: randomUUID(), destinationId: id }, wanted, tx);
      await send({ type: 'identify', anonymousId: 'v', userId: 'ada', event: 'who' });
      await eventually(isWaiting);
    });
    await eventually(async () => {
      const rows = await database.query<{ person: string }>('select person from delivery');
      expect(rows.map(({ person }) => person)).toEqual([personKey('u:ada'), personKey('u:ada')]);
    });
  });

  it('waits for what was accepted before and is not processed, and not for ever', async () => {
    await start();
    await aDestination({ order: { by: 'person', maxWaitSeconds: 4 } });
    const database = service.app.get(Database);
    await database.query(`
      insert into inbox (id, subjects, timestamps, event_ids) values (gen_random_uuid(), '{u:ada}', array[now()], array[gen_random_uuid()])`);
    const blocker = await database.query('select id from inbox');
    const held = database.transaction(async (tx) => {
      await tx.query('select from inbox for update');
      await send({ userId: 'grace', event: 'later' });
      await eventually(async () => expect(await database.query('select from delivery')).toHaveLength(1));
      expect(arrived()).toEqual([]);
      await eventually(() => expect(arrived()).toEqual(['later']));
    });
    await held;
    expect(blocker.length).toBe(1);
  });

  it('refuses an order for a connector that sends batches, and limits that make no sense', async () => {
    await start();
    const refused = await api.post('/destinations', {
      name: 'Bucket',
      type: 's3-export',
      config: {
        bucket: 'bucket-of-ours',
        region: 'eu-central-1',
        accessKeyId: 'a',
        secretAccessKey: 's',
        prefix: 'p',
      },
      order: { by: 'person' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'order', code: 'not_supported' }] },
    });
    const config = { url: receiver.url };
    const odd = { name: 'Odd', type: 'webhook', config, order: { by: 'event', maxWaiting: 0 } };
    const answer = await api.post('/destinations', odd);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'order.by',
      'order.maxWaiting',
    ]);
  });
});
