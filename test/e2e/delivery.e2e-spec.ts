import { randomUUID } from 'node:crypto';
import { getQueueToken } from '@nestjs/bullmq';
import type { Job, Queue } from 'bullmq';
import { Webhook } from 'standardwebhooks';
import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { DestinationDisabler } from '../../src/delivery/breaker/destination-disabler';
import { DeliveryWork } from '../../src/delivery/lanes/delivery-work';
import { Lanes } from '../../src/delivery/lanes/lanes';
import { DeliverySweeper } from '../../src/delivery/upkeep/sweeper';
import { DeliveryHousekeeping } from '../../src/delivery/upkeep/delivery-housekeeping';
import type { ClaimedDelivery } from '../../src/delivery/ledger/claiming/claimed-delivery';
import { Ledger } from '../../src/delivery/ledger/ledger';
import type { DeliveryOutcome, NotDelivered } from '../../src/delivery/ledger/recording/delivery-outcome';
import { secureDeliveries } from '../../src/delivery/ledger/claiming/secure-deliveries';
import { WorkerPresence } from '../../src/delivery/presence/worker-presence';
import { ActiveDestinations } from '../../src/destinations/active-destinations';
import type { TrackEvent } from '../../src/events/customer-event';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, type LedgerRow, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, Receiver } from '../support/receiver';
import { connectTestDatabase } from '../support/test-database';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '200',
  CDP_DELIVERY_MAX_ATTEMPTS: '4',
  CDP_BREAKER_FAILURES: '10',
};

describe.each(queueKinds())('delivery at its usual pace on %s queues', (queue) => {
  it('delivers the bytes of each event once, signed in both ways', async () => {
    // With the usual patience: a try that is cut off after a second, on a busy machine, is rightly sent again.
    const patient = await startTestService({ queue });
    const receiver = await Receiver.start();
    try {
      const { body: destination } = await (
        await anApiClient(patient)
      ).post('/destinations', {
        name: 'Patient',
        type: 'webhook',
        config: { url: `${receiver.url}/hook?a=b` },
      });
      const events = Array.from({ length: 250 }, (_, n) => anEvent({ properties: { n, name: 'Zoë ☕' } }));
      await deliver(patient, events);
      await eventually(async () => {
        expect(receiver.ids()).toHaveLength(250);
        const states = (await ledgerOf(patient, destination.id)).map(({ state }) => state);
        expect(new Set(states)).toEqual(new Set(['delivered']));
      });
      expect(receiver.received).toHaveLength(250);
      const [delivery] = receiver.received;
      expect(delivery!.path).toBe('/hook?a=b');
      expect(delivery!.headers['content-type']).toBe('application/json');
      expect(JSON.parse(delivery!.body)).toMatchObject({
        type: 'track',
        event: 'Order Completed',
        userId: 'ada',
      });
      for (const one of receiver.received) {
        expect(isSignedWith(destination.config.secret, one)).toBe(true);
        new Webhook(destination.config.secret).verify(one.body, one.headers as Record<string, string>);
      }
    } finally {
      await patient.close();
      await receiver.stop();
    }
  });

  it('sends little that it cannot record, however many destinations answer, and the rest once it can', async () => {
    // A try that hangs would open a breaker, and no probe that cannot be recorded closes it.
    const patient = await startTestService({ queue });
    const receiver = await Receiver.start();
    const api = await anApiClient(patient);
    const database = patient.app.get(Database);
    const ids: string[] = [];
    try {
      for (const name of ['One', 'Another']) {
        const destination = { name, type: 'webhook', config: { url: receiver.url }, enabled: false };
        ids.push((await api.post('/destinations', destination)).body.id);
      }
      await deliver(
        patient,
        Array.from({ length: 400 }, () => anEvent()),
      );
      await database.transaction(async (tx) => {
        await tx.query('lock table delivery_attempt in share row exclusive mode', []);
        for (const id of ids) await api.put(`/destinations/${id}`, { enabled: true });
        let seen = 0;
        let calm = 0;
        await eventually(async () => {
          // A transaction that does nothing for half a minute is ended, and its lock with it.
          await tx.query('select', []);
          calm = receiver.received.length === seen ? calm + 1 : 0;
          seen = receiver.received.length;
          expect(seen).toBeGreaterThanOrEqual(200);
          expect(calm).toBeGreaterThanOrEqual(10);
        }, 60_000);
        // The last tries are started when 199 outcomes wait, and each destination has 32 of them at most.
        expect(seen).toBeLessThanOrEqual(199 + 2 * 32);
      });
      await eventually(async () => {
        const states = (await Promise.all(ids.map((id) => ledgerOf(patient, id)))).flat();
        expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['delivered']));
      });
      expect(receiver.ids()).toHaveLength(800);
    } finally {
      await receiver.stop();
      await patient.close();
    }
  }, 150_000);

  it('says goodbye when it stops with nothing in hand, else none, so that others take over', async () => {
    const other = await startTestService({ queue });
    const env = { CDP_SHUTDOWN_GRACE_SECONDS: '1' };
    const startAnother = (): Promise<TestService> =>
      startTestService({ queue, env, databaseUrl: other.databaseUrl });
    const presenceOf = ({ app }: TestService): WorkerPresence => app.get(WorkerPresence, { strict: false });
    const receiver = await Receiver.start();
    const database = other.app.get(Database);
    let closed: Promise<void> | undefined;
    try {
      const done = await startAnother();
      await done.close();
      expect(await database.query('select id from delivery_worker')).toEqual([{ id: presenceOf(other).id }]);

      const busy = await startAnother();
      const destination = { name: 'Receiver', type: 'webhook', config: { url: receiver.url } };
      await (await anApiClient(busy)).post('/destinations', destination);
      await database.transaction(async (tx) => {
        await tx.query('lock table delivery_attempt in share row exclusive mode');
        await deliver(busy, [anEvent()]);
        await eventually(() => expect(receiver.received).toHaveLength(1));
        closed = busy.close();
        await eventually(async () => {
          // A transaction that does nothing for half a minute is ended, and its lock with it.
          await tx.query('select');
          expect(presenceOf(other).lost).toContain(presenceOf(busy).id);
        }, 20_000);
      });
    } finally {
      await closed;
      await receiver.stop();
      await other.close();
    }
  });

  it('says none either when PostgreSQL fails while a batch is recorded or a delivery is given back', async () => {
    const database = await connectTestDatabase();
    const { client } = database;
    const receiver = await Receiver.start();
    const start = (): Promise<TestService> =>
      startTestService({ queue, env: { CDP_SHUTDOWN_GRACE_SECONDS: '1' }, databaseUrl: database.url });
    const presenceOf = ({ app }: TestService): WorkerPresence => app.get(WorkerPresence, { strict: false });
    /** The work fails as if PostgreSQL was stopped. */
    const failWhatUses = async (
      table: string,
      { work, hasFailed }: { work: () => Promise<void>; hasFailed: () => boolean },
    ): Promise<void> => {
      await client.query(`begin; lock table ${table} in share row exclusive mode`);
      await work();
      await eventually(async () => {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`,
        );
        expect(hasFailed()).toBe(true);
      });
      await client.query('rollback');
    };
    const services = await Promise.all([start(), start(), start()]);
    let open: readonly TestService[] = services;
    try {
      const api = await anApiClient(services[0]);
      const config = { url: receiver.url, batch: { maxEvents: 1 } };
      await api.post('/destinations', { name: 'Batches', type: 'webhook', config });
      const notes = services.map((service) => jest.spyOn(presenceOf(service), 'noteLeft'));
      const noted = (): number => notes.findIndex(({ mock }) => mock.calls.length > 0);
      await failWhatUses('delivery_attempt', {
        work: async () => {
          await deliver(services[0], [anEvent()]);
          await eventually(() => expect(receiver.received).toHaveLength(1));
        },
        hasFailed: () => noted() >= 0,
      });
      const holder = services[noted()]!;
      const [giver, stays] = services.filter((service) => service !== holder);

      const onFailed = jest.fn();
      await failWhatUses('delivery', {
        work: async () => {
          const given = { id: randomUUID(), leaseEndsAt: Number.POSITIVE_INFINITY } as ClaimedDelivery;
          giver!.app.get(Ledger).release([given]).catch(onFailed);
        },
        hasFailed: () => onFailed.mock.calls.length === 1,
      });

      open = [stays!];
      await Promise.all([holder.close(), giver!.close()]);
      const gone = [holder, giver!].map((service) => presenceOf(service).id!).toSorted((a, b) => a - b);
      await eventually(() => expect(presenceOf(stays!).lost.toSorted((a, b) => a - b)).toEqual(gone), 20_000);
      // The batch is sent again; sooner and once more where the machine was slow and its holder taken for gone.
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    } finally {
      await Promise.all(open.map((service) => service.close()));
      await receiver.stop();
      await database.drop();
    }
  }, 60_000);

  it('holds no more large events than memory has room for, however many destinations hang, and starves nobody', async () => {
    // So that what hangs does so to the end: on a busy machine the receiver accepts fewer connections than tries begin anew.
    const patient = await startTestService({ queue, env: { CDP_DELIVERY_TIMEOUT_MS: '60000' } });
    const receiver = await Receiver.start();
    receiver.behaviour = ({ path }, response) => {
      if (path === '/healthy') response.end();
    };
    const database = patient.app.get(Database);
    const aLargeEvent = (): TrackEvent => anEvent({ properties: { text: 'x'.repeat(31_000) } });
    const add = async (path: string): Promise<string> => {
      const destination = { name: path, type: 'webhook', config: { url: `${receiver.url}${path}` } };
      return (await (await anApiClient(patient)).post('/destinations', destination)).body.id as string;
    };
    try {
      const hanging = Array.from({ length: 60 }, (_, n) => `/hanging/${n}`);
      for (const path of hanging) await add(path);
      await database.query('update destination set enabled = false');
      await deliver(patient, Array.from({ length: 100 }, aLargeEvent));
      await database.query('update destination set enabled = true');
      await eventually(() => {
        expect(new Set(receiver.received.map(({ path }) => path)).size).toBe(hanging.length);
      });
      const [leased] = await database.query<{ count: number }>(
        'select count(*)::int from delivery where leased_until > now()',
      );
      // 32 MB, one event for each, and three claims of a hundred that did not know of each other.
      expect(leased!.count * 31_000).toBeLessThan(32 * 2 ** 20 + 60 * 32_768 + 3 * 100 * 32_768);
      const healthy = await add('/healthy');
      await deliver(patient, Array.from({ length: 40 }, aLargeEvent));
      await eventually(async () => {
        const states = (await ledgerOf(patient, healthy)).map(({ state }) => state);
        expect(states).toEqual(Array.from({ length: 40 }, () => 'delivered'));
      });
    } finally {
      await receiver.stop();
      await patient.close();
    }
  });
});

describe.each(queueKinds())('delivery on %s queues', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ queue, env: FAST });
    api = await anApiClient(service);
  });
  afterAll(async () => {
    await service.close();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.stop();
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
  });

  async function aDestination(config: object = {}): Promise<{ id: string; config: { secret: string } }> {
    const answer = await api.post('/destinations', {
      name: `Receiver ${Math.random()}`,
      type: 'webhook',
      config: { url: `${receiver.url}/hook?a=b`, ...config },
    });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  function rows(sql: string, params: unknown[]): Promise<object[]> {
    return service.app.get(Database).query(sql, params);
  }

  async function statesOf(destinationId: string): Promise<string[]> {
    return (await ledgerOf(service, destinationId)).map(({ state }) => state);
  }

  function lettersOf(destinationId: string): Promise<Job[]> {
    const queue = service.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
    return queue.getFailed().then((jobs) => jobs.filter(({ data }) => data.destinationId === destinationId));
  }

  /** As the statistics count them. */
  async function deadOf(destinationId: string): Promise<number> {
    return (await api.get(`/destinations/${destinationId}/stats`)).body.lastHour.dead;
  }

  it('shows the deliveries that were made, and the retries that wait, in the queues', async () => {
    const destination = await aDestination();
    await deliver(service, [anEvent(), anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered', 'delivered']));
    receiver.answer(503, { 'retry-after': '600' });
    await deliver(service, [anEvent()]);
    const jobsOf = async (queueName: string, state: 'completed' | 'delayed'): Promise<Job[]> => {
      const jobs = await service.app.get<Queue>(getQueueToken(queueName), { strict: false }).getJobs([state]);
      return jobs.filter(({ data }) => data.destinationId === destination.id);
    };
    await eventually(async () => {
      const made = await jobsOf('deliveries', 'completed');
      expect(made.map(({ name }) => name)).toContainEqual(
        expect.stringMatching(/^Receiver .* \([23] events\)$/),
      );
      const ids = (await ledgerOf(service, destination.id)).map(({ id }) => id);
      const shown = made.flatMap(({ data }) => data.deliveryIds as string[]);
      expect(shown.toSorted()).toEqual(ids.toSorted());
      const [waiting] = await jobsOf('delivery-retries', 'delayed');
      expect(waiting?.name).toMatch(/^Receiver .* \(retry after http_5xx\)$/);
    });
  });

  it('has the tries made by an exponential backoff, and moves the job where a receiver asks for more', async () => {
    const destination = await aDestination();
    receiver.behaviour = (_delivery, response) => {
      if (receiver.received.length < 3) response.writeHead(500).end();
      else response.writeHead(429, { 'retry-after': '600' }).end();
    };
    await deliver(service, [anEvent()]);
    const queue = service.app.get<Queue>(getQueueToken('delivery-retries'), { strict: false });
    const retryOf = async (): Promise<Job | undefined> =>
      (await queue.getDelayed()).find(({ data }) => data.destinationId === destination.id);
    await eventually(async () => {
      expect((await ledgerOf(service, destination.id))[0]).toMatchObject({ attempts: 3, state: 'pending' });
      const job = await retryOf();
      expect(job?.opts).toMatchObject({
        attempts: 4,
        backoff: { type: 'exponential', delay: 40, jitter: 0.25 },
      });
      // One failure that the backoff counted, and one try whose time the receiver named.
      expect(job?.attemptsMade).toBe(1);
      expect(job!.timestamp + job!.delay).toBeGreaterThan(Date.now() + 500_000);
      expect(job?.stacktrace ?? []).toEqual([]);
    });
  });

  it('keeps to the schedule after a receiver has asked for more', async () => {
    const destination = await aDestination();
    const queue = service.app.get<Queue>(getQueueToken('delivery-retries'), { strict: false });
    let tries = 0;
    let failuresSeen: number | undefined;
    receiver.behaviour = (_delivery, response) => {
      tries += 1;
      if (tries === 2) response.writeHead(429, { 'retry-after': '1' }).end();
      else if (tries < 4) response.writeHead(500).end();
      else {
        void queue.getActive().then((jobs) => {
          failuresSeen = jobs.find(({ data }) => data.destinationId === destination.id)?.attemptsMade;
          response.writeHead(200).end();
        });
      }
    };
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
    // The backoff would have waited as after the first failure of the job: the third try was put off instead.
    expect({ tries, failuresSeen }).toEqual({ tries: 4, failuresSeen: 0 });
  });

  it('keeps the retry of a destination that is down in the queue, and makes it once it is back', async () => {
    const destination = await aDestination();
    // Until then all workers have heard that it is down.
    receiver.answer(503, { 'retry-after': '2' });
    await deliver(service, [anEvent()]);
    await eventually(async () =>
      expect(await ledgerOf(service, destination.id)).toMatchObject([{ attempts: 1 }]),
    );
    const health = service.app.get(DestinationHealth, { strict: false });
    await health.openBreaker(destination.id, 'http_5xx', 120_000);
    const queue = service.app.get<Queue>(getQueueToken('delivery-retries'), { strict: false });
    await eventually(async () => {
      const job = (await queue.getDelayed()).find(({ data }) => data.destinationId === destination.id);
      expect(job!.delay).toBeGreaterThan(20_000);
    });
    receiver.answer(200);
    await api.post(`/destinations/${destination.id}/test`);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
  });

  it('leaves a delivery alone that was tried while its job was put off', async () => {
    const destination = await aDestination();
    const queue = service.app.get<Queue>(getQueueToken('delivery-retries'), { strict: false });
    const jobs = async (): Promise<Job[]> =>
      (await queue.getDelayed()).filter(({ data }) => data.destinationId === destination.id);
    receiver.answer(503, { 'retry-after': '2' });
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await jobs()).toHaveLength(1));
    await service.app
      .get(DestinationHealth, { strict: false })
      .openBreaker(destination.id, 'http_5xx', 120_000);
    await eventually(async () => expect((await jobs())[0]!.delay).toBeGreaterThan(20_000));
    const [late] = await jobs();
    // Its test closes the breaker, and the backlog makes the second try.
    const { length } = receiver.received;
    receiver.behaviour = (_delivery, response) => {
      if (receiver.received.length === length + 1) response.writeHead(200).end();
      else response.writeHead(429, { 'retry-after': '600' }).end();
    };
    await api.post(`/destinations/${destination.id}/test`);
    await eventually(async () => expect(await jobs()).toHaveLength(2));
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    await late!.promote();
    await eventually(async () => expect(await jobs()).toHaveLength(1));
    // Another one, of a worker that takes the destination for down.
    await service.app.get(Ledger, { strict: false }).defer([id], new Map([[id, 1]]));
    expect(await rows(`select attempts, due_at > now() as waits from delivery where id = $1`, [id])).toEqual([
      { attempts: 2, waits: true },
    ]);
    expect(receiver.received).toHaveLength(length + 2);
  });

  it('leaves a delivery alone that was tried when the job of its first try is brought again', async () => {
    const destination = await aDestination();
    receiver.answer(503, { 'retry-after': '600' });
    await deliver(service, [anEvent()]);
    const waiting = await eventually(async () => {
      const [delivery] = await ledgerOf(service, destination.id);
      expect(delivery).toMatchObject({ attempts: 1 });
      return delivery!;
    });
    const work = service.app.get(DeliveryWork, { strict: false });
    await work.deliver(destination.id, [waiting.id]);
    const health = service.app.get(DestinationHealth, { strict: false });
    await health.openBreaker(destination.id, 'http_5xx', 120_000);
    service.app.get(Lanes, { strict: false }).tick();
    await work.deliver(destination.id, [waiting.id]);
    expect(receiver.received).toHaveLength(1);
    expect(await ledgerOf(service, destination.id)).toEqual([waiting]);
  });

  it('has no more retries of one destination in hand than leaves room for those of others', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(
      service,
      Array.from({ length: 40 }, () => anEvent()),
    );
    const failed = (await rows(
      `update delivery set attempts = 1, due_at = now() + interval '10 minutes' where destination_id = $1 returning id`,
      [destination.id],
    )) as LedgerRow[];
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await service.app.get(ActiveDestinations, { strict: false }).refresh();
    const work = service.app.get(DeliveryWork, { strict: false });
    const retried = await Promise.all(
      failed.map(({ id }) => work.retry({ destinationId: destination.id, deliveryId: id, tries: 1 })),
    );
    expect(retried.filter(({ kind }) => kind === 'later').length).toBeGreaterThan(10);
    // The others are made without their jobs. A busy machine may take some of all these tries for an outage.
    await eventually(
      async () => expect(await statesOf(destination.id)).toEqual(Array(40).fill('delivered')),
      90_000,
    );
  }, 120_000);

  it('retries with the same id until the receiver takes it', async () => {
    const destination = await aDestination();
    let calls = 0;
    receiver.behaviour = (_delivery, response) => response.writeHead((calls += 1) < 3 ? 500 : 204).end();
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
    expect(receiver.received).toHaveLength(3);
    expect(receiver.ids()).toHaveLength(1);
    expect(await ledgerOf(service, destination.id)).toMatchObject([{ attempts: 3 }]);
  });

  it('gives up after the configured number of tries', async () => {
    const destination = await aDestination();
    receiver.answer(503);
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['dead']));
    expect(receiver.received).toHaveLength(4);
    expect(await ledgerOf(service, destination.id)).toMatchObject([{ attempts: 4, error_class: 'http_5xx' }]);
  });

  it('keeps the deliveries of a paused destination and makes them when it is enabled', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent(), anEvent()]);
    await service.app.get(ActiveDestinations, { strict: false }).refresh();
    expect(await statesOf(destination.id)).toEqual(['pending', 'pending']);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered', 'delivered']));
    expect(receiver.received).toHaveLength(2);
  });

  it('reads the destinations again when one has changed, and only then', async () => {
    const { id } = await aDestination();
    const destinations = service.app.get(ActiveDestinations, { strict: false });
    await destinations.refresh();
    const before = destinations.snapshot;
    await destinations.refresh();
    expect(destinations.snapshot).toBe(before);
    await api.put(`/destinations/${id}`, { name: 'renamed' });
    await destinations.refresh();
    expect(destinations.get(id)?.name).toBe('renamed');
  });

  it('opens only what has changed, however it was changed', async () => {
    const [changed, other] = [await aDestination(), await aDestination()];
    const active = service.app.get(ActiveDestinations);
    await active.refresh();
    const before = { changed: active.get(changed.id), other: active.get(other.id) };
    await rows(`update destination set name = 'Renamed' where id = $1`, [changed.id]);
    await active.refresh();
    expect(active.get(other.id)).toBe(before.other);
    expect(active.get(changed.id)).toEqual({ ...before.changed, name: 'Renamed' });
    await rows('delete from destination where id = $1', [changed.id]);
    await active.refresh();
    expect(active.get(changed.id)).toBeUndefined();
    expect(active.get(other.id)).toBe(before.other);
  });

  it('reads changed destinations over the connection of a transaction when all others are taken', async () => {
    const { id } = await aDestination();
    const database = service.app.get(Database, { strict: false });
    const { pool } = database;
    const destinations = service.app.get(ActiveDestinations, { strict: false });
    await database.transaction(async (tx) => {
      const [first, ...rest] = await Promise.all(
        Array.from({ length: pool.options.max - 1 }, () => pool.connect()),
      );
      try {
        await first!.query('update destination set name = $2 where id = $1', [id, 'renamed']);
        await destinations.refresh(undefined, tx);
        expect(destinations.get(id)?.name).toBe('renamed');
      } finally {
        for (const other of [first!, ...rest]) other.release();
      }
    });
  });

  it('sends nothing while paused and each delivery once, however often it is paused and resumed', async () => {
    const destination = await aDestination();
    receiver.behaviour = (_delivery, response) => setTimeout(() => response.end(), 5);
    const events = Array.from({ length: 400 }, () => anEvent());
    for (let round = 0; round < 4; round += 1) {
      await deliver(service, events.slice(round * 100, round * 100 + 100));
      await api.post(`/destinations/${destination.id}/pause`);
      await api.post(`/destinations/${destination.id}/resume`);
    }
    await eventually(async () => {
      expect(new Set(await statesOf(destination.id))).toEqual(new Set(['delivered']));
    });
    expect(receiver.ids()).toHaveLength(400);
    // A try that this impatient service takes for hanging on a busy machine is made again, and counted.
    const tries = (await ledgerOf(service, destination.id)).reduce((sum, { attempts }) => sum + attempts, 0);
    expect(receiver.received.length).toBeLessThanOrEqual(tries);
  });

  it('gives back what it holds when a destination is paused: nothing waits for a lease then', async () => {
    const destination = await aDestination();
    receiver.behaviour = () => undefined;
    await deliver(
      service,
      Array.from({ length: 200 }, () => anEvent()),
    );
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
    await api.post(`/destinations/${destination.id}/pause`);
    receiver.answer(200);
    await eventually(async () => {
      const held = await rows(
        `select from delivery where destination_id = $1 and state = 'pending' and attempts = 0
          and (due_at > now() or leased_until > now())`,
        [destination.id],
      );
      expect(held).toEqual([]);
    });
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => {
      expect(new Set(await statesOf(destination.id))).toEqual(new Set(['delivered']));
    });
  });

  it('goes on with what it gave back once the destination is resumed, without being told by a sweeper', async () => {
    // What hung before the pause may end after the resume: that takes nobody's destination down here.
    const alone = await startTestService({ queue, env: { ...FAST, CDP_BREAKER_FAILURES: '1000' } });
    const aloneApi = await anApiClient(alone);
    const receiving = { name: 'Paused', type: 'webhook', config: { url: receiver.url } };
    const { id } = (await aloneApi.post('/destinations', receiving)).body;
    try {
      alone.app.get(DeliverySweeper, { strict: false }).onModuleDestroy();
      receiver.behaviour = () => undefined;
      await deliver(
        alone,
        Array.from({ length: 200 }, () => anEvent()),
      );
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
      await aloneApi.post(`/destinations/${id}/pause`);
      const untried = async (): Promise<LedgerRow[]> =>
        (await ledgerOf(alone, id)).filter(({ state, attempts }) => state === 'pending' && attempts === 0);
      await eventually(async () => {
        const inHand = await alone.app.get(Database).query(
          `select from delivery
           where state = 'pending' and attempts = 0 and (due_at > now() or leased_until > now())`,
          [],
        );
        expect(inHand).toEqual([]);
      });
      expect(await untried()).not.toEqual([]);
      receiver.answer(200);
      await aloneApi.post(`/destinations/${id}/resume`);
      await eventually(async () => expect(await untried()).toEqual([]));
    } finally {
      await alone.close();
    }
  });

  it('parks what a destination that is down would fail at, and delivers all of it when it is back', async () => {
    const destination = await aDestination();
    receiver.answer(500);
    await deliver(
      service,
      Array.from({ length: 300 }, () => anEvent()),
    );
    await eventually(async () => {
      expect((await rows('select breaker from destination_health where breaker = $1', ['open'])).length).toBe(
        1,
      );
    });
    const triedAt500 = receiver.received.length;
    expect(triedAt500).toBeLessThan(100);
    receiver.answer(200);
    await eventually(async () => {
      expect(new Set(await statesOf(destination.id))).toEqual(new Set(['delivered']));
    });
    expect(receiver.ids()).toHaveLength(300);
    expect(receiver.received.length).toBeLessThan(triedAt500 + 300 + 50);
    expect(await rows('select * from destination_health where breaker = $1', ['open'])).toEqual([]);
  });

  it('probes destinations that are down after waits that double, and no later than 30 s after the last probe', async () => {
    const { id: copied } = await aDestination();
    receiver.answer(500);
    const down = (await rows(
      `with copies as (
         insert into destination (id, name, type, config, secrets_sealed)
         select overlay(d.id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'Down ' || n, type, config, secrets_sealed
         from destination d cross join generate_series(0, 99) as n where d.id = $1
         returning id, substr(name, 6)::int as n
       )
       insert into destination_health (destination_id, breaker, reason, since, probe_at, probes)
       select id, 'open', 'timeout', now(), 'infinity', n from copies
       returning destination_id as id`,
      [copied],
    )) as { id: string }[];
    try {
      const health = service.app.get(DestinationHealth, { strict: false });
      await eventually(() => expect(down.every(({ id }) => health.isOpen(id))).toBe(true));
      await deliver(service, [anEvent()]);
      const [due] = (await rows(
        `with due as (update destination_health set probe_at = now() where probe_at = 'infinity' returning 1)
         select (extract(epoch from now()) * 1000)::float8 as ms, count(*) from due`,
        [],
      )) as { ms: number }[];
      const probed = await eventually(async () => {
        const found = (await rows(
          `select h.probes - 1 as before, (extract(epoch from probe_at) * 1000)::float8 as "nextMs",
             (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"
           from destination_health h join destination d on d.id = h.destination_id
           where d.name like 'Down %' and h.probes > substr(d.name, 6)::int`,
          [],
        )) as { before: number; nextMs: number; nowMs: number }[];
        expect(found).toHaveLength(100);
        return found;
      });
      for (const { before, nextMs, nowMs } of probed) {
        const step = Math.min(1_000 * 2 ** before, 30_000);
        // The probe was at some time between the two.
        expect(nextMs).toBeGreaterThan(due!.ms + step * 0.6 - 1);
        expect(nextMs).toBeLessThan(nowMs + step + 1);
      }
      expect(Math.max(...probed.map(({ nextMs, nowMs }) => nextMs - nowMs))).toBeLessThanOrEqual(30_000);
    } finally {
      await rows(`delete from destination where name like 'Down %'`, []);
    }
  });

  it('asks a receiver that wants a day of rest again after minutes, and not with what it put off', async () => {
    // A try that is cut off after a second, on a busy machine, is rightly sent again.
    const patient = await startTestService({ queue, env: { ...FAST, CDP_DELIVERY_TIMEOUT_MS: '15000' } });
    const patientApi = await anApiClient(patient);
    const destination = { name: 'Resting', type: 'webhook', config: { url: receiver.url } };
    const { id } = (await patientApi.post('/destinations', destination)).body;
    const find = <Row extends object>(sql: string): Promise<Row[]> =>
      patient.app.get(Database).query<Row & Record<string, unknown>>(sql, [id]);
    const health = 'from destination_health where destination_id = $1';
    const probe = 'update destination_health set probe_at = now() where destination_id = $1';
    try {
      receiver.behaviour = (_delivery, response) => response.writeHead(429, { 'retry-after': '86400' }).end();
      await deliver(
        patient,
        Array.from({ length: 10 }, () => anEvent()),
      );
      const opened = await eventually(async () => {
        const [found] = await find<{ breaker: string; seconds: number }>(
          // A statement may begin before what it sees was written.
          `select breaker, extract(epoch from probe_at - clock_timestamp())::float8 as seconds ${health}`,
        );
        expect(found).toMatchObject({ breaker: 'open' });
        return found!;
      });
      expect(opened.seconds).toBeLessThanOrEqual(120);
      const putOff = new Set(receiver.ids());
      expect(putOff.size).toBe(10);
      await find(probe);
      await eventually(async () =>
        expect(await find(`select probes ${health} and probes > 0`)).toHaveLength(1),
      );
      await deliver(patient, [anEvent()]);
      await find(probe);
      await eventually(async () => {
        const [next] = await find<{ seconds: number }>(
          `select extract(epoch from probe_at - clock_timestamp())::float8 as seconds ${health}`,
        );
        expect(next?.seconds).toBeGreaterThan(60);
      });
      receiver.answer(200);
      await find(probe);
      await eventually(async () => {
        expect((await ledgerOf(patient, id)).map(({ state }) => state)).toContain('delivered');
      });
      expect(receiver.received).toHaveLength(12);
      expect(receiver.ids().filter((one) => !putOff.has(one))).toHaveLength(1);
      const waiting = await find(
        `select from delivery where destination_id = $1 and state = 'pending' and due_at > now() + interval '23 hours'`,
      );
      expect(waiting).toHaveLength(10);
    } finally {
      await patient.close();
    }
  });

  it.each([
    ['', {}],
    [', in the order of each person', { order: { by: 'person' } }],
  ])('takes a receiver that refuses events for one that is there%s', async (_, members) => {
    const { id } = await aDestination();
    await api.put(`/destinations/${id}`, members);
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(body.includes('Refused') ? 400 : 200).end();
    };
    const send = (event: string, count: number, person: string): Promise<void> =>
      deliver(
        service,
        Array.from({ length: count }, (__, n) =>
          anEvent({ event, subject: `u:${person}${n}`, userId: `${person}${n}` }),
        ),
      );
    await send('Refused', 50, 'r');
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(20));
    const opened = "select from destination_health where destination_id = $1 and breaker = 'open'";
    await send('Order Completed', 5, 'g');
    await eventually(async () =>
      expect((await statesOf(id)).filter((state) => state === 'delivered')).toHaveLength(5),
    );
    expect(await rows(opened, [id])).toEqual([]);
    // What it refuses says that it is back, too.
    await service.app.get(DestinationHealth, { strict: false }).openBreaker(id, 'http_5xx');
    await send('Refused', 1, 'b');
    await send('Order Completed', 1, 'c');
    await eventually(async () =>
      expect((await statesOf(id)).toSorted()).toEqual([
        ...Array(51).fill('dead'),
        ...Array(6).fill('delivered'),
      ]),
    );
  });

  it('takes nothing that is wrong with events for a sign of the receiver', async () => {
    const config = { url: `${receiver.url}/{properties.place}` };
    const { body: destination } = await api.post('/destinations', {
      name: 'Places',
      type: 'webhook',
      config,
    });
    const placeless = (): TrackEvent => anEvent({ properties: {} });
    const health = `select breaker from destination_health where destination_id = $1`;
    await deliver(service, Array.from({ length: 50 }, placeless));
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(Array(50).fill('dead')));
    expect(await rows(`${health} and breaker = 'open'`, [destination.id])).toEqual([]);

    receiver.behaviour = (_delivery, response) => response.writeHead(429, { 'retry-after': '86400' }).end();
    await deliver(
      service,
      Array.from({ length: 10 }, () => anEvent({ properties: { place: 'here' } })),
    );
    await eventually(async () => {
      expect(await rows(`${health} and breaker = 'open'`, [destination.id])).toHaveLength(1);
    });
    receiver.answer(200);
    await deliver(service, Array.from({ length: 10 }, placeless));
    await deliver(service, [anEvent({ properties: { place: 'there' } })]);
    // One probe; a probe for each of them would take minutes.
    await rows('update destination_health set probe_at = now() where destination_id = $1', [destination.id]);
    await eventually(async () => expect(await statesOf(destination.id)).toContain('delivered'));
    expect(receiver.received.at(-1)).toMatchObject({ path: '/there' });
  });

  it('delivers what was written while the clock of PostgreSQL was two days ahead', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent(), anEvent(), anEvent()]);
    const [late, leased] = await ledgerOf(service, destination.id);
    await rows(`update delivery set due_at = now() + interval '2 days' where id = $1`, [late!.id]);
    await rows(`update delivery set leased_until = now() + interval '2 days' where id = $1`, [leased!.id]);
    await api.put(`/destinations/${destination.id}`, { enabled: true, rateLimit: { perSecond: 5 } });
    await rows(
      `insert into destination_rate (destination_id, tokens, granted, at) values ($1, 0, 0, now() + interval '2 days')`,
      [destination.id],
    );
    await eventually(async () =>
      expect(new Set(await statesOf(destination.id))).toEqual(new Set(['delivered'])),
    );
    expect(receiver.received).toHaveLength(3);
  });

  it('takes over within seconds what a worker held that is gone, and what its jobs were to do', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent(), anEvent(), anEvent()]);
    const [leased, left, others] = (await ledgerOf(service, destination.id)).map(({ id }) => id);
    const [gone] = (await rows('insert into delivery_worker default values returning id', [])) as {
      id: number;
    }[];
    const { id: alive } = service.app.get(WorkerPresence, { strict: false });
    const lease = `update delivery set leased_until = now() + interval '30 seconds', leased_by = $2 where id = $1`;
    await rows(lease, [leased, gone!.id]);
    await rows(lease, [others, alive]);
    await rows(`update delivery set due_at = now() + interval '25 seconds' where id = $1`, [left]);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => {
      const states = new Map((await ledgerOf(service, destination.id)).map(({ id, state }) => [id, state]));
      expect([leased, left, others].map((id) => states.get(id!))).toEqual([
        'delivered',
        'delivered',
        'pending',
      ]);
    }, 12_000);
    expect(receiver.received).toHaveLength(2);
    await rows('delete from delivery_worker where id = $1', [gone!.id]);
  });

  it('keeps delivering to others while one destination hangs', async () => {
    const healthy = await aDestination();
    const hanging = await aDestination({ url: `${receiver.url}/hang` });
    receiver.behaviour = ({ path }, response) => {
      if (path !== '/hang') response.end();
    };
    await deliver(
      service,
      Array.from({ length: 300 }, () => anEvent()),
    );
    await eventually(async () => {
      expect(new Set(await statesOf(healthy.id))).toEqual(new Set(['delivered']));
    });
    expect(new Set(await statesOf(hanging.id))).toContain('pending');
    receiver.answer(200);
    await eventually(async () => {
      expect(new Set(await statesOf(hanging.id))).toEqual(new Set(['delivered']));
    });
  });

  it('makes no second delivery when the log of tries cannot be written', async () => {
    const destination = await aDestination();
    await rows(
      `create function refuse_log() returns trigger language plpgsql as $$ begin raise 'the log is broken'; end $$`,
      [],
    );
    await rows(
      'create trigger refuse_log before insert on delivery_attempt for each row execute function refuse_log()',
      [],
    );
    try {
      await deliver(service, [anEvent(), anEvent(), anEvent()]);
      await eventually(async () => {
        expect(await statesOf(destination.id)).toEqual(['delivered', 'delivered', 'delivered']);
      });
    } finally {
      await rows('drop function refuse_log cascade', []);
    }
    const partitions = (await rows(
      `select inhrelid::regclass::text as name, pg_get_expr(relpartbound, inhrelid) as bounds
       from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'delivery_attempt'::regclass`,
      [],
    )) as { name: string; bounds: string }[];
    for (const { name } of partitions)
      await rows(`alter table delivery_attempt detach partition ${name}`, []);
    try {
      receiver.behaviour = (_delivery, response) => {
        response.writeHead(receiver.received.length === 4 ? 500 : 200).end();
      };
      await deliver(service, [anEvent()]);
      await eventually(async () => expect(await statesOf(destination.id)).not.toContain('pending'));
    } finally {
      for (const { name, bounds } of partitions) {
        await rows(`alter table delivery_attempt attach partition ${name} ${bounds}`, []);
      }
    }
    expect(receiver.ids()).toHaveLength(4);
    expect(receiver.received).toHaveLength(5);
    expect((await ledgerOf(service, destination.id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 2]);
  });

  it('sends no faster than the rate limit with two processes, and others as fast as ever', async () => {
    const limited = await aDestination();
    const other = await aDestination({ url: `${receiver.url}/other` });
    await api.put(`/destinations/${limited.id}`, { rateLimit: { perSecond: 1 } });
    const second = await startTestService({ queue, env: FAST, databaseUrl: service.databaseUrl });
    try {
      // In many jobs, so that both processes get some.
      for (let round = 0; round < 15; round += 1) {
        await deliver(
          service,
          Array.from({ length: 4 }, () => anEvent()),
        );
      }
      await eventually(async () => {
        expect(new Set(await statesOf(other.id))).toEqual(new Set(['delivered']));
      });
      expect(await statesOf(limited.id)).toContain('pending');
      const raisedAt = Date.now();
      await api.put(`/destinations/${limited.id}`, { rateLimit: { perSecond: 20 } });
      await eventually(async () => {
        expect(new Set(await statesOf(limited.id))).toEqual(new Set(['delivered']));
      });
      const times = receiver.received.filter(({ path }) => path !== '/other').map(({ at }) => at);
      expect(times.length).toBeGreaterThanOrEqual(60);
      const later = times.filter((at) => at > raisedAt);
      // 10 may come at once, and a process that was held up may send as many late.
      expect(later.at(-1)! - later[0]!).toBeGreaterThan(1_000 * ((later.length - 10 - 10) / 20));
      const attempts = (await ledgerOf(service, limited.id)).reduce((sum, row) => sum + row.attempts, 0);
      expect(attempts).toBe(times.length);
    } finally {
      await second.close();
    }
  });

  it('records a try whatever characters the answer holds', async () => {
    const destination = await aDestination();
    receiver.behaviour = (_delivery, response) =>
      void response.writeHead(400).end(Buffer.concat([Buffer.from('"\\ \0 half a '), Buffer.of(0xf0, 0x9f)]));
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['dead']));
    const [row] = await ledgerOf(service, destination.id);
    const tried = expect.objectContaining({ status: 400, answer: '"\\  half a \ufffd' });
    expect((await api.get(`/deliveries/${row!.id}`)).body).toMatchObject({
      errorClass: 'http_4xx',
      tries: Array(4).fill(tried),
    });
  });

  it('switches a destination off that answers 410', async () => {
    const destination = await aDestination();
    receiver.answer(410);
    await deliver(service, [anEvent()]);
    await eventually(async () => {
      expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(false);
    });
    expect(await ledgerOf(service, destination.id)).toMatchObject([{ state: 'dead', error_class: 'gone' }]);
    await eventually(async () => {
      expect(await lettersOf(destination.id)).toMatchObject([{ data: { errorClass: 'gone', status: 410 } }]);
      expect(await deadOf(destination.id)).toBe(1);
    });
  });

  it('gives up what it has no event for any more', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    const event = anEvent();
    await deliver(service, [event]);
    await rows('delete from event where id = $1', [event.id]);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => {
      const letters = await lettersOf(destination.id);
      expect(letters).toMatchObject([
        { data: { errorClass: 'event_expired', event: 'track', status: null } },
      ]);
      expect(await deadOf(destination.id)).toBe(1);
    });
    expect(receiver.received).toEqual([]);
  });

  it('does not switch a destination off again for what was said before it was switched on', async () => {
    const destination = await aDestination();
    const answer = await new Promise<() => void>((resolve) => {
      receiver.behaviour = (_delivery, response) => resolve(() => void response.writeHead(410).end());
      void deliver(service, [anEvent()]);
    });
    await api.post(`/destinations/${destination.id}/pause`);
    await api.post(`/destinations/${destination.id}/resume`);
    receiver.answer(200);
    answer();
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['dead']));
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['dead', 'delivered']));
    expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(true);
  });

  it('knows what was said before a destination was switched on, however long that waits for a connection', async () => {
    const destination = await aDestination();
    const startedAt = new Date();
    await api.post(`/destinations/${destination.id}/pause`);
    await api.post(`/destinations/${destination.id}/resume`);
    const resumedAt = Date.now();
    const database = service.app.get(Database);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const connections = Array.from({ length: service.app.get(Config).database.poolSize }, () =>
      database.transaction(() => held),
    );
    const delivery = { id: randomUUID(), destinationId: destination.id } as ClaimedDelivery;
    const outcome = { delivery, startedAt, errorClass: 'gone', disableDestination: true } as NotDelivered;
    const followed = service.app.get(DestinationDisabler, { strict: false }).follow(outcome);
    // Longer than there was between the try and the resume.
    await eventually(() =>
      expect(Date.now() - resumedAt).toBeGreaterThan(2 * (resumedAt - startedAt.getTime())),
    );
    release();
    await Promise.all([followed, ...connections]);
    expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(true);
  });

  it('gives up no more than what was under way when a receiver answers 410, and delivers the rest later', async () => {
    // A try that is cut off after a second, on a busy machine, is rightly sent again.
    const patient = await startTestService({ queue, env: { ...FAST, CDP_DELIVERY_TIMEOUT_MS: '15000' } });
    const patientApi = await anApiClient(patient);
    const destination = { name: 'Gone', type: 'webhook', config: { url: receiver.url } };
    const { id } = (await patientApi.post('/destinations', destination)).body;
    const states = async (): Promise<string[]> => (await ledgerOf(patient, id)).map(({ state }) => state);
    try {
      receiver.answer(410);
      await deliver(
        patient,
        Array.from({ length: 300 }, () => anEvent()),
      );
      await eventually(async () => {
        expect((await patientApi.get(`/destinations/${id}`)).body.enabled).toBe(false);
        expect(await states()).toContain('dead');
      });
      receiver.answer(200);
      expect((await patientApi.post(`/destinations/${id}/resume`)).status).toBe(200);
      await eventually(async () => expect(await states()).not.toContain('pending'));
      const delivered = (await states()).filter((state) => state === 'delivered');
      expect(delivered.length).toBeGreaterThanOrEqual(300 - 32);
      expect(receiver.received).toHaveLength(300);
    } finally {
      await patient.close();
    }
  });

  it('knows that what was said by an address is nothing of the one that a destination got since', async () => {
    const destination = await aDestination();
    const startedAt = new Date();
    const config = { url: `${receiver.url}/moved` };
    expect((await api.put(`/destinations/${destination.id}`, { config })).status).toBe(200);
    const delivery = { id: randomUUID(), destinationId: destination.id } as ClaimedDelivery;
    const gone = (at: Date): NotDelivered =>
      ({ delivery, startedAt: at, errorClass: 'gone', disableDestination: true }) as NotDelivered;
    const disabler = service.app.get(DestinationDisabler, { strict: false });
    await disabler.follow(gone(startedAt));
    expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(true);
    // As of a try that was made a while after the change.
    await disabler.follow(gone(new Date(Date.now() + 60_000)));
    expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(false);
  });

  it('cancels what is pending when its destination is deleted', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent(), anEvent()]);
    await api.delete(`/destinations/${destination.id}`);
    await service.app.get(DeliveryHousekeeping, { strict: false }).tidy();
    expect(await statesOf(destination.id)).toEqual(['cancelled', 'cancelled']);
    expect(receiver.received).toEqual([]);
  });

  it('gives up what is too old', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const inFourDays = Date.now() + 4 * 24 * 60 * 60 * 1000;
    await service.app.get(DeliveryHousekeeping, { strict: false }).tidy(inFourDays);
    expect(await ledgerOf(service, destination.id)).toMatchObject([
      { state: 'dead', error_class: 'expired' },
    ]);
    await eventually(async () => {
      const letters = await lettersOf(destination.id);
      const data = { reason: 'expired', errorClass: null, tries: 0, status: null };
      expect(letters).toMatchObject([{ data }]);
      expect(await deadOf(destination.id)).toBe(1);
    });
    // Retried in the queue, and given up again without another try.
    const [letter] = await lettersOf(destination.id);
    await letter!.retry();
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['pending']));
    await eventually(async () => expect(await lettersOf(destination.id)).toEqual([]));
    await service.app.get(DeliveryHousekeeping, { strict: false }).tidy(inFourDays);
    expect(await statesOf(destination.id)).toEqual(['dead']);
    await eventually(async () => expect(await lettersOf(destination.id)).toMatchObject([{ id: letter!.id }]));
  });

  it('does not give up what is replayed because its event is old', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const housekeeping = service.app.get(DeliveryHousekeeping, { strict: false });
    const inFourDays = Date.now() + 4 * 24 * 60 * 60 * 1000;
    await housekeeping.tidy(inFourDays);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    await api.post(`/dead-letters/${id}/replay`);
    await rows(`update delivery set updated_at = now() + interval '4 days' where id = $1`, [id]);
    await housekeeping.tidy(inFourDays);
    expect(await statesOf(destination.id)).toEqual(['pending']);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
  });

  it('takes what is replayed to be as old as its replay, however often it is the probe', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const housekeeping = service.app.get(DeliveryHousekeeping, { strict: false });
    const inFourDays = Date.now() + 4 * 24 * 60 * 60 * 1000;
    await housekeeping.tidy(inFourDays);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    await api.post(`/dead-letters/${id}/replay`);
    const ageOf = (): Promise<object[]> => rows('select updated_at from delivery where id = $1', [id]);
    const before = await ageOf();
    const failed = { state: 'pending', attempt: 1, waitMs: 0, errorClass: 'http_5xx', status: 500 };
    const tried = { startedAt: new Date(), totalMs: 1, latency: {}, answer: undefined };
    const probe = { delivery: { id }, ...failed, ...tried } as unknown as DeliveryOutcome;
    await service.app.get(Ledger, { strict: false }).park(probe);
    expect(await ageOf()).toEqual(before);
    const { body } = await api.get(`/deliveries/${id}`);
    expect(body).toMatchObject({ state: 'pending', tries: [{ status: 500 }] });
    await housekeeping.tidy(inFourDays);
    expect(await statesOf(destination.id)).toEqual(['dead']);
  });

  it('does not release a lease that another has by now', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const ledger = service.app.get(Ledger, { strict: false });
    const [mine] = await ledger.claimDue(destination.id, 1);
    await ledger.release([{ ...mine!, leaseEndsAt: performance.now() - 1 }]);
    expect(await ledger.claimDue(destination.id, 1)).toEqual([]);
    await ledger.release([mine!]);
    expect(await ledger.claimDue(destination.id, 1)).toHaveLength(1);
  });

  it('does not lease what it has given back while that was being marked as held', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const ledger = service.app.get(Ledger, { strict: false });
    const [mine] = await ledger.claimDue(destination.id, 1);
    await ledger.release([mine!]);
    const claimant = { leaseMs: 10_000, workerId: 1, lost: [] };
    await secureDeliveries(claimant, [mine!], service.app.get(Database));
    expect(await ledger.claimDue(destination.id, 1)).toHaveLength(1);
  });

  it('does not lease what it has given back since the marking as held began', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent()]);
    const held = `update delivery set due_at = now() + interval '1 minute' where destination_id = $1 returning id`;
    const [{ id }] = (await rows(held, [destination.id])) as [{ id: string }];
    const claimant = { leaseMs: 10_000, workerId: 1, lost: [] };
    await service.app.get(Database).transaction(async (tx) => {
      await tx.query('select now()');
      await service.app.get(Ledger, { strict: false }).defer([id]);
      await secureDeliveries(claimant, [{ id, attempts: 0 }], tx);
    });
    expect(await rows('select leased_until from delivery where id = $1', [id])).toEqual([
      { leased_until: null },
    ]);
  });

  it('does not lease what it has recorded while that was being marked as held', async () => {
    const destination = await aDestination();
    receiver.behaviour = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    await deliver(service, [anEvent()]);
    const { id } = await eventually(async () => {
      const [tried] = await ledgerOf(service, destination.id);
      expect(tried).toMatchObject({ state: 'pending', attempts: 1 });
      return tried!;
    });
    const claimant = { leaseMs: 10_000, workerId: 1, lost: [] };
    await secureDeliveries(claimant, [{ id, attempts: 0 }], service.app.get(Database));
    expect(await rows('select leased_until from delivery where id = $1', [id])).toEqual([
      { leased_until: null },
    ]);
  });

  it('files a dead letter that can be retried from the queue', async () => {
    const destination = await aDestination();
    receiver.answer(500);
    await deliver(service, [anEvent()]);
    const deadLetters = service.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
    const [job] = await eventually(async () => {
      const failed = await deadLetters.getFailed();
      const own = failed.filter(({ data }) => data.destinationId === destination.id);
      expect(own).toHaveLength(1);
      return own;
    });
    expect(job!.name).toMatch(/^Receiver .* \(track: http_5xx\)$/);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    expect(job!.data).toEqual({
      deliveryId: id,
      destinationId: destination.id,
      destination: expect.stringContaining('Receiver'),
      event: 'Order Completed',
      reason: 'http_5xx',
      errorClass: 'http_5xx',
      status: 500,
      tries: 4,
      givenUpAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      link: `/console/destinations/${destination.id}/deliveries/${id}`,
    });
    expect(job!.failedReason).toBe('Dead after 4 tries: http_5xx, status 500');
    expect(job!.stacktrace ?? []).toEqual([]);
    const shown = (
      await api.get('/queues/api/queues?activeQueue=dead-letters&status=failed')
    ).body.queues.find(({ name }: { name: string }) => name === 'dead-letters').jobs as {
      id: string;
      externalUrl: object;
    }[];
    expect(shown.find(({ id: jobId }) => jobId === job!.id)?.externalUrl).toMatchObject({
      href: `/console/destinations/${destination.id}/deliveries/${id}`,
    });
    receiver.answer(200);
    // As Bull Board's button does.
    expect((await api.put(`/queues/api/queues/dead-letters/${job!.id}/retry`)).status).toBe(204);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
    expect(receiver.ids()).toHaveLength(1);
  });

  it('lets only one of two that want the same delivery have it', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(
      service,
      Array.from({ length: 20 }, () => anEvent()),
    );
    const ledger = service.app.get(Ledger, { strict: false });
    const ids = (await ledgerOf(service, destination.id)).map(({ id }) => id);
    await rows(`update delivery set due_at = now() where id = any($1)`, [ids]);
    const claims = await Promise.all([
      ledger.claimDeliveries(ids),
      ledger.claimDeliveries(ids),
      ledger.claimDue(destination.id, 15),
      ledger.claimDue(destination.id, 15),
    ]);
    const claimed = claims.flat().map(({ id }) => id);
    expect(claimed.toSorted()).toEqual(ids.toSorted());
  });
});
