import { Webhook } from 'standardwebhooks';
import { BatchProcessor } from '../../src/delivery/batches/batch.processor';
import { BatchRunner } from '../../src/delivery/batches/batch-runner';
import type { TrackEvent } from '../../src/events/customer-event';
import { Database } from '../../src/platform/database/database';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, type LedgerRow, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, type ReceivedDelivery, Receiver } from '../support/receiver';
import { createTestDatabase } from '../support/test-database';
import { queueKinds, startTestService, type TestService } from '../support/test-service';
import { SECRET } from '../support/webhook-harness';

const FAST = {
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '200',
  CDP_DELIVERY_MAX_ATTEMPTS: '3',
};

interface Sent {
  readonly messageId: string;
}

describe.each(queueKinds())('webhooks that get batches, on %s queues', (queue) => {
  let service: TestService;
  let api: ApiClient;
  let receiver: Receiver;
  let names = 0;

  beforeAll(async () => {
    service = await startTestService({ queue, env: FAST });
    api = await anApiClient(service);
  });
  afterAll(async () => service.close());
  beforeEach(async () => (receiver = await Receiver.start()));
  afterEach(async () => {
    for (const { id } of (await api.get('/destinations')).body) await api.delete(`/destinations/${id}`);
    await receiver.stop();
  });

  const given = (batch: object | undefined, config: object = {}, others: object = {}): object => ({
    name: `Batches ${++names}`,
    type: 'webhook',
    config: { url: `${receiver.url}/in`, secret: SECRET, batch, ...config },
    ...others,
  });
  const aDestination = async (...members: Parameters<typeof given>): Promise<string> => {
    const { status, body } = await api.post('/destinations', given(...members));
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body.id;
  };
  const putConfig = async (id: string, batch: object | undefined): Promise<void> => {
    const config = { url: `${receiver.url}/in`, batch };
    expect((await api.put(`/destinations/${id}`, { config })).status).toBe(200);
  };
  const send = async (count: number, members: Partial<TrackEvent> = {}): Promise<string[]> => {
    const events = Array.from({ length: count }, () => anEvent(members));
    await deliver(service, events);
    return events.map(({ messageId }) => messageId).toSorted();
  };
  const sentIn = ({ body }: ReceivedDelivery): Sent[] => JSON.parse(body);
  const sizes = (): number[] =>
    receiver.received.map((request) => sentIn(request).length).toSorted((a, b) => a - b);
  const received = (): string[] =>
    receiver.received.flatMap((request) => sentIn(request).map(({ messageId }) => messageId)).toSorted();
  const untilAll = (id: string, state: string, counts = {}): Promise<LedgerRow[]> =>
    eventually(async () => {
      const rows = await ledgerOf(service, id);
      expect([...new Set(rows.map((row) => row.state))]).toEqual([state]);
      expect(rows).toMatchObject(rows.map(() => counts));
      return rows;
    });
  const batchIdOf = async ({ id }: LedgerRow): Promise<string | null> =>
    (await api.get(`/deliveries/${id}`)).body.batchId;
  const failOnce = (status: number): void => {
    receiver.behaviour = (_, response) => {
      response.writeHead(status).end();
      receiver.answer(200);
    };
  };

  it('are sent arrays that are closed by number and by age, each event once, under one signature', async () => {
    const id = await aDestination({ maxEvents: 100, flushSeconds: 1 });
    const sent = await send(250);
    const rows = await untilAll(id, 'delivered');
    expect(sizes()).toEqual([50, 100, 100]);
    expect(received()).toEqual(sent);
    for (const request of receiver.received) {
      expect(isSignedWith(SECRET, request)).toBe(true);
      new Webhook(SECRET, { format: 'raw' }).verify(request.body, request.headers as Record<string, string>);
      expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    }
    expect(receiver.ids()).toHaveLength(3);
    expect(receiver.ids()).toContain(await batchIdOf(rows[0]!));
  });

  it('get the same under the same id on each try', async () => {
    failOnce(500);
    const id = await aDestination({ flushSeconds: 1 });
    const sent = await send(5);
    await untilAll(id, 'delivered', { attempts: 2 });
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect({ id: first!.id, body: first!.body }).toEqual({ id: second!.id, body: second!.body });
    expect(
      sentIn(first!)
        .map(({ messageId }) => messageId)
        .toSorted(),
    ).toEqual(sent);
  });

  it('get CloudEvents by their batch format', async () => {
    const id = await aDestination({ flushSeconds: 1 }, { envelope: 'cloudevents' });
    const sent = await send(3);
    const rows = await untilAll(id, 'delivered');
    const [request] = receiver.received;
    expect(request!.headers['content-type']).toBe('application/cloudevents-batch+json');
    const items: { id: string; specversion: string; data: Sent }[] = JSON.parse(request!.body);
    expect(items.map(({ id: item }) => item).toSorted()).toEqual(rows.map((row) => row.id));
    expect(items.map(({ data }) => data.messageId).toSorted()).toEqual(sent);
    expect(items[0]!.specversion).toBe('1.0');
  });

  it('are split by size, and a larger event goes alone', async () => {
    const id = await aDestination({ maxBytes: 2_000, flushSeconds: 1 });
    await send(4, { properties: { text: 'x'.repeat(600) } });
    const [large] = await send(1, { properties: { text: 'y'.repeat(5_000) } });
    await untilAll(id, 'delivered');
    expect(sizes()).toEqual([1, 2, 2]);
    expect(
      receiver.received.map((request) => sentIn(request).map(({ messageId }) => messageId)),
    ).toContainEqual([large]);
  });

  it('get events as the mapping makes them', async () => {
    const id = await aDestination({ flushSeconds: 1 }, {}, { mapping: { drop: ['properties'] } });
    await send(2);
    await untilAll(id, 'delivered');
    expect(sentIn(receiver.received[0]!)).toEqual([
      expect.not.objectContaining({ properties: expect.anything() }),
      expect.not.objectContaining({ properties: expect.anything() }),
    ]);
  });

  it('are asked with a batch that waits whether they are back, which costs it no try', async () => {
    receiver.answer(500);
    const id = await aDestination({ maxEvents: 2, flushSeconds: 1 });
    const sent = await send(6);
    await eventually(async () =>
      expect((await api.get(`/destinations/${id}/stats`)).body.health).toMatchObject({ state: 'degraded' }),
    );
    const before = receiver.received.length;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before + 2));
    const rows = await ledgerOf(service, id);
    expect(rows.every(({ state, attempts }) => state === 'pending' && attempts < 3)).toBe(true);
    receiver.answer(200);
    await untilAll(id, 'delivered');
    expect(new Set(received())).toEqual(new Set(sent));
  });

  it('are divided when they are refused, until what is refused is alone', async () => {
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(body.includes('Refused') ? 400 : 200).end();
    };
    const id = await aDestination({ maxEvents: 16, flushSeconds: 1 });
    const isRefused = (n: number): boolean => n === 3 || n === 12;
    await deliver(
      service,
      Array.from({ length: 16 }, (_, n) => anEvent({ event: isRefused(n) ? 'Refused' : 'Order Completed' })),
    );
    const tries = await eventually(async () => {
      const ledger = await ledgerOf(service, id);
      expect(ledger.filter(({ state }) => state === 'delivered')).toHaveLength(14);
      return ledger;
    });
    // The way there cost none of them a try.
    const counted = await Promise.all(
      tries.map(async (row) => (await api.get(`/deliveries/${row.id}`)).body as { attempts: number }),
    );
    expect(Math.max(...counted.map(({ attempts }) => attempts))).toBeGreaterThan(2);
    await eventually(async () => {
      const ledger = await ledgerOf(service, id);
      expect(ledger.filter(({ state }) => state === 'dead')).toHaveLength(2);
    });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    const taken = receiver.received.filter(({ body }) => !body.includes('Refused'));
    expect(taken.flatMap(sentIn)).toHaveLength(14);
    expect(new Set(ids).size).toBeGreaterThan(taken.length);
    expect((await api.get(`/destinations/${id}/stats`)).body.health.nextProbeAt).toBeNull();
  });

  it('keep none waiting that are not refused, however many are', async () => {
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(body.includes('Refused') ? 400 : 200).end();
    };
    const id = await aDestination({ maxEvents: 2, flushSeconds: 1 });
    await send(150, { event: 'Refused' });
    const good = await send(4);
    await eventually(async () => {
      const delivered = (await ledgerOf(service, id)).filter(({ state }) => state === 'delivered');
      expect(delivered).toHaveLength(good.length);
    });
  });

  it('are sent at once when all that waits for the destination is retried', async () => {
    receiver.answer(503, { 'retry-after': '3600' });
    const id = await aDestination({ flushSeconds: 1 });
    await send(3);
    const [row] = await untilAll(id, 'pending', { attempts: 1, due_at: Infinity });
    const retry = async (reason?: string): Promise<unknown> =>
      (await api.post(`/destinations/${id}/retry`, { reason })).body;
    receiver.answer(200);
    expect(await retry('timeout')).toEqual({ deliveries: 0, waitsFor: null });
    expect(await retry(row!.error_class!)).toEqual({ deliveries: 3, waitsFor: null });
    await untilAll(id, 'delivered', { attempts: 2 });
    expect(sizes()).toEqual([3, 3]);
  });

  it('are switched off by 410, and what is replayed leaves alone under another id', async () => {
    receiver.answer(410);
    const id = await aDestination({ flushSeconds: 1 });
    await send(3);
    const rows = await untilAll(id, 'dead', { error_class: 'gone' });
    await eventually(async () =>
      expect((await api.get(`/destinations/${id}`)).body).toMatchObject({ enabled: false }),
    );
    const [{ id: refused }] = receiver.received as [ReceivedDelivery];
    receiver.received.length = 0;
    receiver.answer(200);
    expect((await api.post(`/destinations/${id}/resume`)).status).toBe(200);
    const one = rows[1]!;
    expect((await api.post(`/deliveries/${one.id}/retry`)).status).toBeLessThan(300);
    await eventually(async () =>
      expect((await ledgerOf(service, id)).map(({ state }) => state)).toEqual(['dead', 'delivered', 'dead']),
    );
    expect(receiver.received).toHaveLength(1);
    expect(sentIn(receiver.received[0]!)).toHaveLength(1);
    expect(receiver.received[0]!.id).not.toBe(refused);
    expect(receiver.received[0]!.id).toBe(await batchIdOf(one));
  });

  it('get what waits when they are switched to batches, and what is under way once', async () => {
    let answer: (() => void) | undefined;
    receiver.behaviour = (_, response) => (answer = () => response.end());
    const id = await aDestination(undefined);
    await send(1);
    await eventually(() => expect(answer).toBeDefined());
    await putConfig(id, { flushSeconds: 1 });
    receiver.answer(200);
    const later = await send(3);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    answer?.();
    await untilAll(id, 'delivered');
    expect(receiver.received).toHaveLength(2);
    expect(
      sentIn(receiver.received[1]!)
        .map(({ messageId }) => messageId)
        .toSorted(),
    ).toEqual(later);
  });

  it('get what waits one by one when they are switched back', async () => {
    receiver.answer(500);
    const id = await aDestination({ maxEvents: 2, flushSeconds: 3_600 });
    const sent = await send(5);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
    receiver.answer(200);
    await putConfig(id, undefined);
    await untilAll(id, 'delivered');
    const alone = receiver.received
      .map(({ body }): unknown => JSON.parse(body))
      .filter((body) => !Array.isArray(body));
    expect(alone.length).toBeGreaterThan(0);
    const all = receiver.received.flatMap(({ body }): Sent | Sent[] => JSON.parse(body));
    expect(new Set(all.map(({ messageId }) => messageId))).toEqual(new Set(sent));
  });

  it('are signed with the secret before as well while a rotation is under way', async () => {
    const id = await aDestination({ flushSeconds: 1 });
    await api.post(`/destinations/${id}/rotate-secret`);
    await send(2);
    await untilAll(id, 'delivered');
    const [request] = receiver.received;
    expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    new Webhook(SECRET, { format: 'raw' }).verify(request!.body, request!.headers as Record<string, string>);
  });

  it('count no probes that were made with a delivery while it went alone', async () => {
    const id = await aDestination({ flushSeconds: 1 });
    receiver.behaviour = (_, response) => {
      receiver.answer(200);
      response.writeHead(503).end();
    };
    await api.post(`/destinations/${id}/pause`);
    await deliver(service, [anEvent()]);
    await service.app
      .get(Database)
      .query('update delivery set attempts = 41, probes = 40 where destination_id = $1', [id]);
    await api.post(`/destinations/${id}/resume`);
    await eventually(async () =>
      expect(await ledgerOf(service, id)).toMatchObject([{ state: 'delivered', attempts: 43 }]),
    );
  });

  it('get them although the queue takes jobs and hands none out', async () => {
    const { worker } = service.app.get(BatchProcessor, { strict: false });
    const { jobs } = service.app.get(BatchRunner, { strict: false });
    await worker.pause(true);
    const id = await aDestination({ maxEvents: 2, flushSeconds: 1 });
    await send(2); // The worker was about to take one job more.
    await untilAll(id, 'delivered');
    const { begun } = jobs;
    await send(2);
    await untilAll(id, 'delivered');
    expect(jobs.begun).toBe(begun);
    void worker.resume();
  });

  it('are tested with a batch of one', async () => {
    const id = await aDestination({});
    expect((await api.post(`/destinations/${id}/test`)).body).toMatchObject({ delivered: true, status: 200 });
    expect(sentIn(receiver.received[0]!)).toMatchObject([{ type: 'track', event: 'Test Event' }]);
    expect(isSignedWith(SECRET, receiver.received[0]!)).toBe(true);
    receiver.answer(500);
    expect((await api.post(`/destinations/${id}/test`)).body).toMatchObject({
      delivered: false,
      errorClass: 'http_5xx',
    });
  });

  it.each<[string, object, object, object, string, string]>([
    ['no events', { maxEvents: 0 }, {}, {}, 'config.batch.maxEvents', 'invalid'],
    ['too many events', { maxEvents: 10_001 }, {}, {}, 'config.batch.maxEvents', 'invalid'],
    ['half an event', { maxEvents: 1.5 }, {}, {}, 'config.batch.maxEvents', 'invalid'],
    ['a text for a number', { maxEvents: '5' }, {}, {}, 'config.batch.maxEvents', 'invalid'],
    ['few bytes', { maxBytes: 1_023 }, {}, {}, 'config.batch.maxBytes', 'invalid'],
    ['many bytes', { maxBytes: 8_388_609 }, {}, {}, 'config.batch.maxBytes', 'invalid'],
    ['no time', { flushSeconds: 0 }, {}, {}, 'config.batch.flushSeconds', 'invalid'],
    ['null', { flushSeconds: null }, {}, {}, 'config.batch.flushSeconds', 'invalid'],
    ['another member', { size: 1 }, {}, {}, 'config.batch.size', 'unknown_field'],
    ['fields in the path', {}, { url: 'http://127.0.0.1:1/{userId}' }, {}, 'config.batch', 'not_supported'],
    ['a rate limit', {}, {}, { rateLimit: { perSecond: 1 } }, 'rateLimit', 'not_supported'],
    ['an order', {}, {}, { order: { by: 'person' } }, 'order', 'not_supported'],
  ])('cannot have %s', async (_, batch, config, others, path, code) => {
    const id = await aDestination(undefined, {}, others);
    const made = given(batch, config, others) as { config: object };
    for (const { status, body } of [
      await api.post('/destinations', made),
      await api.put(`/destinations/${id}`, { config: made.config }),
    ]) {
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(expect.objectContaining({ path, code }));
    }
  });
});

describe('webhooks that get batches and hang', () => {
  it('hold a try up no longer than one of a single event', async () => {
    const service = await startTestService({ env: { ...FAST, CDP_DELIVERY_TIMEOUT_MS: '2000' } });
    const api = await anApiClient(service);
    const receiver = await Receiver.start();
    receiver.behaviour = () => receiver.answer(200);
    const config = { url: receiver.url, batch: { flushSeconds: 1 } };
    const { id } = (await api.post('/destinations', { name: 'Slow', type: 'webhook', config })).body;
    await deliver(service, [anEvent(), anEvent()]);
    const [row] = await eventually(async () => {
      const rows = await ledgerOf(service, id);
      expect(rows).toMatchObject(Array.from({ length: 2 }, () => ({ state: 'delivered', attempts: 2 })));
      return rows;
    });
    const { tries } = (await api.get(`/deliveries/${row!.id}`)).body;
    expect(tries).toMatchObject([{ errorClass: 'timeout' }, { status: 200 }]);
    await service.close();
    await receiver.stop();
  });

  it('hold up no other destination, get four at a time, and are let go of when the service stops', async () => {
    const env = { ...FAST, CDP_DELIVERY_TIMEOUT_MS: '60000', CDP_SHUTDOWN_GRACE_SECONDS: '2' };
    const service = await startTestService({ env });
    const api = await anApiClient(service);
    const [hanging, receiver] = await Promise.all([Receiver.start(), Receiver.start()]);
    hanging.behaviour = () => undefined;
    const make = async (name: string, url: string): Promise<string> => {
      const config = { url, batch: { maxEvents: 2, flushSeconds: 1 } };
      return (await api.post('/destinations', { name, type: 'webhook', config })).body.id;
    };
    for (let n = 0; n < 8; n += 1) await make(`Hanging ${n}`, `${hanging.url}/${n}`);
    const events = Array.from({ length: 20 }, () => anEvent());
    await deliver(service, events);
    await eventually(() => expect(hanging.received).toHaveLength(8 * 4));
    const healthy = await make('Healthy', receiver.url);
    await deliver(
      service,
      events.map(() => anEvent()),
    );
    await eventually(async () =>
      expect((await ledgerOf(service, healthy)).map(({ state }) => state)).toEqual(
        events.map(() => 'delivered'),
      ),
    );
    expect(hanging.received).toHaveLength(8 * 4);
    await service.close();
    await Promise.all([hanging.stop(), receiver.stop()]);
  });

  it('are waited for when the service stops, and not sent again by the next one', async () => {
    const database = await createTestDatabase();
    const stopping = await startTestService({ env: FAST, databaseUrl: database.url });
    const receiver = await Receiver.start();
    const answers: (() => void)[] = [];
    receiver.behaviour = (_, response) => void answers.push(() => response.end());
    const config = { url: receiver.url, batch: { maxEvents: 2, flushSeconds: 1 } };
    const destination = { name: 'Slow', type: 'webhook', config };
    const { id } = (await (await anApiClient(stopping)).post('/destinations', destination)).body;
    await deliver(stopping, [anEvent(), anEvent()]);
    await eventually(() => expect(answers).toHaveLength(1));
    const stop = jest.spyOn(stopping.app.get(BatchRunner, { strict: false }), 'stop');
    const closed = stopping.close();
    await eventually(() => expect(stop).toHaveBeenCalled());
    for (const answer of answers) answer();
    await closed;
    const next = await startTestService({ env: FAST, databaseUrl: database.url });
    expect((await ledgerOf(next, id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(receiver.received).toHaveLength(1);
    await next.close();
    await receiver.stop();
    await database.drop();
  });
});
