import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Webhook } from 'standardwebhooks';
import { mostCounted } from '../../src/delivery/api/most-counted';
import { Breakers } from '../../src/delivery/breaker/breakers';
import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { DeliveryHousekeeping } from '../../src/delivery/upkeep/delivery-housekeeping';
import { DeliverySweeper } from '../../src/delivery/upkeep/sweeper';
import { Database } from '../../src/platform/database/database';
import { ReplayedEvents } from '../../src/delivery/replay/replayed-events';
import { EventStore } from '../../src/events/event-store';
import { anEvent, storable } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '100',
  CDP_DELIVERY_MAX_ATTEMPTS: '2',
};

describe('deliveries over HTTP', () => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let destination: { id: string; config: { secret: string; url: string } };

  beforeAll(async () => {
    service = await startTestService({ env: FAST });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    receiver = await Receiver.start();
    const { body } = await api.post('/destinations', {
      name: `Receiver ${Math.random()}`,
      type: 'webhook',
      config: { url: receiver.url },
    });
    destination = body;
  });
  afterEach(async () => {
    await api.delete(`/destinations/${destination.id}`);
    await receiver.stop();
  });

  async function untilStates(...states: string[]): Promise<void> {
    await eventually(async () => {
      const rows = await ledgerOf(service, destination.id);
      expect(rows.map(({ state }) => state).toSorted()).toEqual(states.toSorted());
    });
  }

  /** Fewer than open the breaker; at one a second, more than are replayed before a test has looked. */
  async function deadLetters(count: number): Promise<void> {
    receiver.answer(400);
    await deliver(
      service,
      Array.from({ length: count }, () => anEvent()),
    );
    await untilStates(...Array.from({ length: count }, () => 'dead'));
  }

  it('lists deliveries by state, type, user and time, page by page', async () => {
    const events = [anEvent(), anEvent({ userId: 'bob', subject: 'u:bob' }), anEvent()];
    await deliver(service, events);
    await untilStates('delivered', 'delivered', 'delivered');
    const path = `/destinations/${destination.id}/deliveries`;
    const all = await api.get(path);
    expect(all.status).toBe(200);
    expect(all.body).toHaveLength(3);
    expect(all.body[0]).toMatchObject({
      destinationId: destination.id,
      state: 'delivered',
      eventId: events[2]!.id,
      eventType: 'track',
      eventName: 'Order Completed',
      userId: 'ada',
      attempts: 1,
      errorClass: null,
    });
    expect((await api.get(`${path}?userId=bob`)).body).toMatchObject([{ eventId: events[1]!.id }]);
    expect((await api.get(`${path}?state=dead`)).body).toEqual([]);
    expect((await api.get(`${path}?type=page`)).body).toEqual([]);
    expect((await api.get(`${path}?to=2020-01-01T00:00:00Z`)).body).toEqual([]);
    expect((await api.get(`${path}?from=2020-01-01T00:00:00Z&type=track`)).body).toHaveLength(3);
    const first = await api.get(`${path}?limit=2`);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link')!)![1]!;
    const second = await api.get(next);
    expect([...first.body, ...second.body]).toEqual(all.body);
    expect((await api.get(`${path}?state=lost`)).status).toBe(400);
  });

  it('shows every try of a delivery, and tries a dead one again with its old id', async () => {
    receiver.answer(500, { 'content-type': 'text/plain' });
    await deliver(service, [anEvent()]);
    await untilStates('dead');
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    const { body } = await api.get(`/deliveries/${id}`);
    expect(body).toMatchObject({ id, state: 'dead', attempts: 2, errorClass: 'http_5xx' });
    expect(body.tries).toMatchObject([
      { attempt: 1, status: 500, answer: 'status 500', nextTryAt: expect.any(String) },
      { attempt: 2, status: 500, errorClass: 'http_5xx', nextTryAt: null },
    ]);
    expect(body.tries[0].latency.totalMs).toBeGreaterThan(0);
    await eventually(async () => {
      const { health } = (await api.get(`/destinations/${destination.id}/stats`)).body;
      expect(health).toMatchObject({ state: 'degraded', reason: 'many_failures', since: expect.any(String) });
    });
    receiver.answer(200);
    const keyed = api.with({ 'idempotency-key': 'retry' });
    expect((await keyed.post(`/deliveries/${id}/retry`)).status).toBe(202);
    await untilStates('delivered');
    expect(receiver.ids()).toEqual([id]);
    // Its answer is about people, and is kept for nobody.
    expect((await keyed.post(`/deliveries/${id}/retry`)).body).toMatchObject({ code: 'delivery_over' });
    expect((await api.post(`/deliveries/${id}/retry`)).body).toMatchObject({ code: 'delivery_over' });
    expect((await api.get('/deliveries/nonsense')).body).toMatchObject({ code: 'delivery_not_found' });
  });

  it('shows what is sent: the body after the mapping, and headers that prove nothing', async () => {
    const mapping = { rename: [{ from: 'properties.total', to: 'properties.amount' }] };
    const answer = await api.put(`/destinations/${destination.id}`, { mapping });
    expect(answer.status).toBe(200);
    await deliver(service, [anEvent()]);
    await untilStates('delivered');
    const [sent] = receiver.received;
    const { request } = (await api.get(`/deliveries/${sent!.id}`)).body;
    expect(request).toEqual({
      method: 'POST',
      url: receiver.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': expect.any(String),
        'X-Service-Signature': 'sha256=****',
        'webhook-id': sent!.id,
        'webhook-timestamp': '<seconds since 1970 at the try>',
        'webhook-signature': 'v1,****',
      },
      body: sent!.body,
      problem: null,
    });
    expect(request.body).toContain('"amount"');
    for (const name of Object.keys(request.headers)) expect(sent!.headers).toHaveProperty(name.toLowerCase());
  });

  it('lists dead letters, replays one and many, discards one and many', async () => {
    receiver.answer(400);
    await deliver(
      service,
      Array.from({ length: 5 }, () => anEvent()),
    );
    await untilStates('dead', 'dead', 'dead', 'dead', 'dead');
    const query = `/dead-letters?destinationId=${destination.id}`;
    const dead = (await api.get(query)).body as { id: string; errorClass: string }[];
    expect(dead).toHaveLength(5);
    for (const letter of dead) expect(letter).toMatchObject({ status: 400, answer: 'status 400' });
    expect((await api.get(`${query}&reason=http_5xx`)).body).toEqual([]);
    receiver.answer(200);
    expect((await api.post(`/dead-letters/${dead[0]!.id}/replay`)).status).toBe(202);
    await untilStates('delivered', 'dead', 'dead', 'dead', 'dead');
    expect((await api.delete(`/dead-letters/${dead[1]!.id}`)).status).toBe(204);
    expect((await api.delete(`/dead-letters/${dead[1]!.id}`)).status).toBe(404);
    const replay = await api.post('/dead-letters/replay', {
      destinationId: destination.id,
      reason: 'http_4xx',
      ratePerSecond: 2,
    });
    expect(replay.body).toMatchObject({ state: 'running', total: 3, done: 0, ratePerSecond: 2 });
    await eventually(async () => {
      expect((await api.get(`/replays/${replay.body.id}`)).body).toMatchObject({
        state: 'done',
        done: 3,
        deliveries: 3,
      });
    });
    await untilStates('delivered', 'delivered', 'delivered', 'delivered', 'cancelled');
    expect(new Set(receiver.ids())).toEqual(new Set(dead.map(({ id }) => id)));
    const nothing = { status: 200, body: { discarded: 0 } };
    const discard = { destinationId: destination.id };
    expect(await api.post('/dead-letters/discard', discard)).toMatchObject(nothing);
  });

  it('tries a delivery now although its receiver asked for an hour, and none that is over', async () => {
    receiver.answer(503, { 'retry-after': '3600' });
    await deliver(service, [anEvent()]);
    const { id } = await eventually(async () => {
      const [delivery] = await ledgerOf(service, destination.id);
      expect(delivery).toMatchObject({ state: 'pending', attempts: 1 });
      return delivery!;
    });
    const [first] = (await api.get(`/deliveries/${id}`)).body.tries;
    expect(Date.parse(first.nextTryAt) - Date.parse(first.startedAt)).toBeGreaterThanOrEqual(3600_000);
    receiver.answer(200);
    expect((await api.post(`/deliveries/${id}/retry`)).status).toBe(202);
    await untilStates('delivered');
    expect(receiver.ids()).toEqual([id]);
    const over = { status: 409, body: { code: 'delivery_over' } };
    expect(await api.post(`/deliveries/${id}/retry`)).toMatchObject(over);
  });

  it('says what a delivery waits for, also in the answer to a retry', async () => {
    receiver.answer(503, { 'retry-after': '3600' });
    await deliver(service, [anEvent()]);
    const { id } = await eventually(async () => {
      const [delivery] = await ledgerOf(service, destination.id);
      expect(delivery).toMatchObject({ state: 'pending', attempts: 1 });
      return delivery!;
    });
    const { body: putOff } = await api.get(`/deliveries/${id}`);
    expect(putOff).toMatchObject({ waitsFor: 'next_try', nextTryAt: putOff.tries[0].nextTryAt });
    const health = service.app.get(DestinationHealth, { strict: false });
    await health.openBreaker(destination.id, 'timeout', 60_000);
    // Or it would be tried at once.
    const breakers = service.app.get(Breakers, { strict: false });
    await eventually(() => expect(breakers.breakerOf(destination.id).state).toBe('open'));
    const down = await api.post(`/deliveries/${id}/retry`);
    expect(down.body).toMatchObject({ state: 'pending', waitsFor: 'destination_down' });
    await api.post(`/destinations/${destination.id}/pause`);
    const paused = await api.post(`/deliveries/${id}/retry`);
    expect(paused.body).toMatchObject({ state: 'pending', waitsFor: 'destination_paused', nextTryAt: null });
    receiver.answer(200);
    await api.post(`/destinations/${destination.id}/resume`);
    await untilStates('delivered');
    expect((await api.get(`/deliveries/${id}`)).body).toMatchObject({ waitsFor: null, nextTryAt: null });
  });

  it('tells workers what has become due, which need not wait for a look at the ledger', async () => {
    const alone = await startTestService({ env: FAST });
    const aloneApi = await anApiClient(alone);
    const config = { url: receiver.url };
    const { id } = (await aloneApi.post('/destinations', { name: 'Told', type: 'webhook', config })).body;
    const untilStatesAre = (...states: string[]): Promise<void> =>
      eventually(async () =>
        expect((await ledgerOf(alone, id)).map(({ state }) => state).toSorted()).toEqual(states),
      );
    try {
      alone.app.get(DeliverySweeper, { strict: false }).onModuleDestroy();
      receiver.answer(400);
      await deliver(
        alone,
        Array.from({ length: 4 }, () => anEvent()),
      );
      await untilStatesAre('dead', 'dead', 'dead', 'dead');
      const deadLetters = alone.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
      const letters = await eventually(async () => {
        const failed = await deadLetters.getFailed();
        expect(failed).toHaveLength(4);
        return failed;
      });
      receiver.answer(200);
      const [first, second, third] = letters.map(({ data }) => data.deliveryId as string);
      await aloneApi.post(`/deliveries/${first}/retry`);
      await untilStatesAre('dead', 'dead', 'dead', 'delivered');
      await aloneApi.post(`/dead-letters/${second}/replay`);
      await untilStatesAre('dead', 'dead', 'delivered', 'delivered');
      await letters.find(({ data }) => data.deliveryId === third)!.retry();
      await untilStatesAre('dead', 'delivered', 'delivered', 'delivered');
      await aloneApi.post('/dead-letters/replay', { destinationId: id });
      await untilStatesAre('delivered', 'delivered', 'delivered', 'delivered');
    } finally {
      await alone.close();
    }
  });

  it('takes the letters of what is replayed or discarded out of the queue', async () => {
    const queue = service.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
    const lettersOf = async (): Promise<string[]> =>
      (await queue.getFailed())
        .filter(({ data }) => data.destinationId === destination.id)
        .map(({ data }) => data.deliveryId as string);
    await deadLetters(6);
    await eventually(async () => expect(await lettersOf()).toHaveLength(6));
    receiver.answer(200);
    const [first, second, third] = (await ledgerOf(service, destination.id)).map(({ id }) => id);
    await api.post(`/dead-letters/${first}/replay`);
    await api.post(`/deliveries/${second}/retry`);
    await api.delete(`/dead-letters/${third}`);
    await eventually(async () => {
      const letters = await lettersOf();
      expect(letters).toHaveLength(3);
      for (const id of [first, second, third]) expect(letters).not.toContain(id);
    });
    await api.post('/dead-letters/discard', { destinationId: destination.id, reason: 'http_4xx' });
    await eventually(async () => expect(await lettersOf()).toEqual([]));
    // Those that were replayed, before the receiver refuses what comes.
    await eventually(async () =>
      expect((await ledgerOf(service, destination.id)).slice(0, 2)).toMatchObject([
        { state: 'delivered' },
        { state: 'delivered' },
      ]),
    );
    receiver.answer(400);
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await lettersOf()).toHaveLength(1));
    await api.post('/dead-letters/replay', { destinationId: destination.id });
    receiver.answer(200);
    await eventually(async () => expect(await lettersOf()).toEqual([]));
  });

  it('goes on with what a replay that was cancelled has left, and skips what is discarded meanwhile', async () => {
    await deadLetters(15);
    receiver.answer(200);
    const request = { destinationId: destination.id, ratePerSecond: 1 };
    const untilBegun = (id: string): Promise<unknown> =>
      eventually(async () => expect((await api.get(`/replays/${id}`)).body.done).toBeGreaterThan(0));
    const first = (await api.post('/dead-letters/replay', request)).body;
    await untilBegun(first.id);
    const { body: cancelled } = await api.delete(`/replays/${first.id}`);
    expect(cancelled).toMatchObject({ state: 'cancelled', total: 15 });
    // Where it was names a person.
    const left = await service.app
      .get(Database)
      .query('select position from replay where id = $1', [first.id]);
    expect(left).toEqual([{ position: null }]);
    const second = (await api.post('/dead-letters/replay', request)).body;
    expect(second).toMatchObject({ state: 'running', total: 15 - cancelled.done });
    await untilBegun(second.id);
    const discard = { destinationId: destination.id };
    const { discarded } = (await api.post('/dead-letters/discard', discard)).body;
    await eventually(async () =>
      expect((await api.get(`/replays/${second.id}`)).body).toMatchObject({ state: 'done' }),
    );
    const { done } = (await api.get(`/replays/${second.id}`)).body;
    await eventually(async () => {
      const states = (await ledgerOf(service, destination.id)).map(({ state }) => state);
      expect(states.filter((state) => state === 'delivered')).toHaveLength(cancelled.done + done);
      expect(states.filter((state) => state === 'cancelled')).toHaveLength(15 - cancelled.done - done);
      expect(discarded).toBe(15 - cancelled.done - done);
    });
  });

  it('keeps the dead letters of a deleted destination until they are discarded', async () => {
    await deadLetters(15);
    const { id: replayId } = (
      await api.post('/dead-letters/replay', { destinationId: destination.id, ratePerSecond: 1 })
    ).body;
    await api.post(`/destinations/${destination.id}/pause`);
    await service.app.get(Database).query(`update replay set state = 'cancelled' where id = $1`, [replayId]);
    const deadBefore = (await api.get(`/dead-letters?destinationId=${destination.id}`)).body.length;
    expect(deadBefore).toBeGreaterThan(0);
    await api.delete(`/destinations/${destination.id}`);
    // As if the replay had been under way.
    await service.app.get(Database).query(`update replay set state = 'running' where id = $1`, [replayId]);
    await eventually(async () =>
      expect((await api.get(`/replays/${replayId}`)).body).toMatchObject({ state: 'cancelled' }),
    );
    const letters = (await api.get(`/dead-letters?destinationId=${destination.id}`)).body as { id: string }[];
    expect(letters).toHaveLength(deadBefore);
    const refusal = { status: 409, body: { code: 'destination_deleted' } };
    expect(await api.post(`/dead-letters/${letters[0]!.id}/replay`)).toMatchObject(refusal);
    expect(await api.post(`/deliveries/${letters[0]!.id}/retry`)).toMatchObject(refusal);
    const queue = service.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
    const job = await eventually(async () => {
      const own = (await queue.getFailed()).find(({ data }) => data.deliveryId === letters[0]!.id);
      expect(own).toBeDefined();
      return own!;
    });
    await job.retry();
    await eventually(async () =>
      expect((await queue.getJob(job.id!))!.failedReason).toBe('The destination was deleted.'),
    );
    const discard = { destinationId: destination.id };
    expect((await api.get(`/dead-letters?destinationId=${destination.id}`)).body).toHaveLength(deadBefore);
    const answer = { status: 200, body: { discarded: deadBefore } };
    expect(await api.post('/dead-letters/discard', discard)).toMatchObject(answer);
    expect(await api.post('/dead-letters/discard', discard)).toMatchObject({
      status: 404,
      body: { code: 'destination_not_found' },
    });
  });

  it('sends stored events of a time range again, as new deliveries, and can be called off', async () => {
    const from = new Date().toISOString();
    await deliver(
      service,
      Array.from({ length: 4 }, () => anEvent()),
    );
    await untilStates('delivered', 'delivered', 'delivered', 'delivered');
    const path = `/destinations/${destination.id}/replay`;
    const replay = await api.post(path, { from, ratePerSecond: 500 });
    expect(replay.body).toMatchObject({ kind: 'events', total: 4 });
    await eventually(() => expect(receiver.ids()).toHaveLength(8));
    const slow = await api.post(path, { from, ratePerSecond: 1 });
    const cancelled = await api.delete(`/replays/${slow.body.id}`);
    expect(cancelled.body).toMatchObject({ state: 'cancelled' });
    expect((await api.get('/replays')).body[0].id).toBe(slow.body.id);
    const { body: ofIt } = await api.get(`/replays?destinationId=${destination.id}`);
    expect(ofIt.map(({ id }: { id: string }) => id)).toEqual([slow.body.id, replay.body.id]);
    expect((await api.get(`/replays?destinationId=${slow.body.id}`)).body).toEqual([]);
    expect((await api.get('/replays?destinationId=nonsense')).status).toBe(400);
    expect((await api.get('/replays/nonsense')).status).toBe(404);
  });

  it('goes on with the other replays while one fails again and again, and with that one afterwards', async () => {
    const from = new Date().toISOString();
    const config = { url: receiver.url };
    const { body: other } = await api.post('/destinations', { name: 'Other', type: 'webhook', config });
    await deliver(service, [anEvent()]);
    await eventually(() => expect(receiver.ids()).toHaveLength(2));
    const database = service.app.get(Database);
    await database.query(`
      create function refuse_replay() returns trigger language plpgsql as
      $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`);
    await database.query(
      `create trigger refuse_replay before insert on delivery for each row
       when (new.destination_id = '${destination.id}') execute function refuse_replay()`,
    );
    const replayTo = async (id: string): Promise<string> =>
      (await api.post(`/destinations/${id}/replay`, { from })).body.id;
    const [failing, fine] = [await replayTo(destination.id), await replayTo(other.id)];
    const untilDone = (id: string): Promise<void> =>
      eventually(async () => expect((await api.get(`/replays/${id}`)).body.state).toBe('done'));
    await untilDone(fine);
    expect((await api.get(`/replays/${failing}`)).body).toMatchObject({ state: 'running', done: 0 });
    await database.query('drop function refuse_replay cascade');
    await untilDone(failing);
    await api.delete(`/destinations/${other.id}`);
  });

  it.each([
    ['deliveries', 'userId'],
    ['deliveries', 'type'],
    ['dead-letters', 'reason'],
  ])('says where the characters are that no text of %s can have: %s', async (list, path) => {
    const of = list === 'deliveries' ? `/destinations/${destination.id}` : '';
    const { status, body } = await api.get(`${of}/${list}?${path}=a%00b`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  describe('of some of the stored events', () => {
    let from: string;
    let path: string;
    const ada = { subject: 'u:ada', userId: 'ada' } as const;
    const bob = { subject: 'u:bob', userId: 'bob', anonymousId: 'v-1' } as const;
    /** Requests before a replay: a try that took too long may have been repeated. */
    let sentBefore: number;
    const sentAgain = (): string[] =>
      receiver.received
        .slice(sentBefore)
        .map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId.slice(0, 3));

    beforeEach(async () => {
      from = new Date().toISOString();
      path = `/destinations/${destination.id}/replay`;
      await api.put(`/destinations/${destination.id}`, { filter: { events: ['Order *', 'Refund'] } });
      await deliver(service, [
        anEvent({ ...ada, messageId: `r-1 ${from}`, event: 'Order Completed', properties: { total: 5 } }),
        anEvent({ ...ada, messageId: `r-2 ${from}`, event: 'Order Shipped', properties: { total: 50 } }),
        anEvent({ ...bob, messageId: `r-3 ${from}`, event: 'Order Completed', properties: { total: 50 } }),
        anEvent({ ...bob, messageId: `r-4 ${from}`, event: 'Refund' }),
        anEvent({ ...bob, messageId: `r-5 ${from}`, event: 'Nothing of theirs' }),
      ]);
      await untilStates('delivered', 'delivered', 'delivered', 'delivered');
      sentBefore = receiver.received.length;
    });

    const big = { field: 'properties.total', operator: 'gte', value: 20 };
    const never = { types: ['identify'] };
    it.each<[string, object, string[]]>([
      ['everything', {}, ['r-1', 'r-2', 'r-3', 'r-4']],
      ['a name', { filter: { events: ['Order Completed', 'Nothing*'] } }, ['r-1', 'r-3']],
      ['a type', { filter: never }, []],
      ['a condition', { filter: { conditions: [big] } }, ['r-2', 'r-3']],
      ['a user', { userId: 'ada' }, ['r-1', 'r-2']],
      ['a visitor', { anonymousId: 'v-1' }, ['r-3', 'r-4']],
      ['a user and a condition', { userId: 'ada', filter: { match: 'any', conditions: [big] } }, ['r-2']],
      ['another source', { sources: ['SOURCE'] }, []],
      ['a segment', { filter: { segments: ['SEGMENT'] } }, []],
    ])('sends those of %s, and says before how many', async (_, asked, expected) => {
      const source = (await api.post('/sources?allowDuplicate=true', { name: 'Empty' })).body;
      const rules = [{ field: 'event_count', operator: 'gte', value: 1_000 }];
      const segment = (await api.post('/segments?allowDuplicate=true', { name: 'Nobody', rules })).body;
      const request = JSON.parse(
        JSON.stringify({ from, ratePerSecond: 500, ...asked })
          .replace('SOURCE', source.id)
          .replace('SEGMENT', segment.id),
      );
      const dryRun = await api.post(`${path}/dry-run`, request);
      expect(dryRun).toMatchObject({
        status: 200,
        body: { deliveries: expected.length, exact: true, from, to: expect.any(String) as string },
      });
      expect(receiver.received).toHaveLength(sentBefore);
      const { body: replay } = await api.post(path, request);
      await eventually(async () =>
        expect((await api.get(`/replays/${replay.id}`)).body).toMatchObject({
          state: 'done',
          deliveries: expected.length,
        }),
      );
      await eventually(() => expect(sentAgain().sort()).toEqual(expected));
      // It may name a person.
      const [row] = await service.app
        .get(Database)
        .query<{ filter: object; position: unknown }>('select filter, position from replay where id = $1', [
          replay.id,
        ]);
      expect(row).toMatchObject({ position: null });
      expect(row?.filter).not.toHaveProperty('selection');
    });

    it('looks for them in parts, however few of what it finds it may send', async () => {
      await deliver(
        service,
        Array.from({ length: 40 }, () => anEvent({ ...ada, event: 'Order Completed' })),
      );
      await eventually(() => expect(receiver.received).toHaveLength(sentBefore + 40));
      const read = jest.spyOn(service.app.get(ReplayedEvents, { strict: false }), 'read');
      const { body: replay } = await api.post(path, { from, ratePerSecond: 20, filter: { events: ['*'] } });
      await eventually(async () =>
        expect((await api.get(`/replays/${replay.id}`)).body).toMatchObject({
          state: 'done',
          done: 45,
          // One is none that the destination asks for.
          deliveries: 44,
        }),
      );
      expect(read.mock.calls.length).toBeLessThan(12);
      read.mockRestore();
    });

    it('sends no more of them at once than its rate allows, and none twice', async () => {
      const { body: replay } = await api.post(path, { from, ratePerSecond: 1, filter: { events: ['*'] } });
      expect(replay.state).toBe('running');
      await eventually(() => expect(sentAgain().sort()).toEqual(['r-1', 'r-2', 'r-3', 'r-4']));
      const done = await eventually(async () => {
        const { body } = await api.get(`/replays/${replay.id}`);
        expect(body.state).toBe('done');
        return body;
      });
      // By the clock of PostgreSQL: four of them, one a second.
      expect(Date.parse(done.updatedAt) - Date.parse(done.createdAt)).toBeGreaterThanOrEqual(2_000);
    });

    it('says about how many where looking at all of them would take too long', async () => {
      const database = service.app.get(Database);
      const events = Array.from({ length: 3_000 }, (_, n) =>
        anEvent({ ...ada, event: n % 4 === 0 ? 'Order Completed' : 'Nothing of theirs' }),
      );
      const { inboxId } = await service.app.get(EventStore, { strict: false }).store(events.map(storable));
      await database.query('delete from inbox where id = $1', [inboxId]);
      const spies = passTimeWithEachPart(3_000);
      const { body } = await api.post(`${path}/dry-run`, { from });
      for (const spy of spies) spy.mockRestore();
      expect(body).toMatchObject({ exact: false, lookedAt: 2_000, events: 3_005 });
      // A fourth of those that were looked at, and so of all.
      expect(body.deliveries).toBeGreaterThan(740);
      expect(body.deliveries).toBeLessThan(760);
      const { body: exact } = await api.post(`${path}/dry-run`, { from });
      expect(exact).toMatchObject({ exact: true, lookedAt: 3_005, deliveries: 754 });
    });

    /** Reading some events takes so long, as far as anybody looks at the clock. */
    function passTimeWithEachPart(ms: number): readonly jest.SpyInstance[] {
      const [clock, replayed] = [
        performance.now.bind(performance),
        service.app.get(ReplayedEvents, { strict: false }),
      ];
      const read = replayed.read.bind(replayed);
      let passed = 0;
      return [
        jest.spyOn(performance, 'now').mockImplementation(() => clock() + passed),
        jest.spyOn(replayed, 'read').mockImplementation(async (...asked) => {
          passed += ms;
          return read(...asked);
        }),
      ];
    }

    it('refuses a filter that it cannot read', async () => {
      for (const [asked, place] of [
        [{ filter: { types: ['click'] } }, 'filter.types[0]'],
        [{ filter: { segments: [destination.id] } }, 'filter.segments[0]'],
        [{ sources: [destination.id] }, 'sources[0]'],
        [{ userId: '' }, 'userId'],
      ] as const) {
        for (const target of [path, `${path}/dry-run`]) {
          const { status, body } = await api.post(target, { from, ...asked });
          expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path: place });
        }
      }
      const unknown = '/destinations/00000000-0000-7000-8000-00000000000f/replay/dry-run';
      expect((await api.post(unknown, { from })).status).toBe(404);
    });
  });

  it('sends a sample event and says what happened', async () => {
    receiver.answer(418);
    const failed = await api.post(`/destinations/${destination.id}/test`);
    expect(failed.body).toMatchObject({ delivered: false, status: 418, errorClass: 'http_4xx' });
    receiver.answer(200);
    const { body } = await api.post(`/destinations/${destination.id}/test`);
    expect(body).toMatchObject({ delivered: true, status: 200, errorClass: null, answer: 'status 200' });
    const sent = receiver.received.at(-1)!;
    expect(JSON.parse(sent.body)).toEqual(body.event);
    expect(isSignedWith(destination.config.secret, sent)).toBe(true);
    expect(await ledgerOf(service, destination.id)).toEqual([]);
    const { body: stats } = await api.get(`/destinations/${destination.id}/stats`);
    expect(stats.lastHour).toMatchObject({ delivered: 0, failed: 0 });
  });

  it('tests a paused destination without waking it', async () => {
    await api.post(`/destinations/${destination.id}/pause`);
    const { body } = await api.post(`/destinations/${destination.id}/test`);
    expect(body).toMatchObject({ delivered: true, status: 200 });
    expect((await api.get(`/destinations/${destination.id}`)).body).toMatchObject({ enabled: false });
    await api.post(`/destinations/${destination.id}/resume`);
  });

  it('pauses, says so, and resumes', async () => {
    const paused = await api.post(`/destinations/${destination.id}/pause`);
    expect(paused.body).toMatchObject({ enabled: false });
    await deliver(service, [anEvent()]);
    const { body } = await api.get(`/destinations/${destination.id}/stats`);
    expect(body).toMatchObject({
      health: { state: 'paused', reason: 'by_operator', since: expect.any(String) },
      pending: 1,
      countedUpTo: 100_000,
    });
    expect(body.oldestPendingSeconds).toBeGreaterThanOrEqual(0);
    expect((await api.post(`/destinations/${destination.id}/resume`)).body).toMatchObject({ enabled: true });
    await untilStates('delivered');
  });

  it('shows how all destinations are doing, page by page, as each of them does', async () => {
    await deliver(service, [anEvent(), anEvent()]);
    await untilStates('delivered', 'delivered');
    await api.post(`/destinations/${destination.id}/pause`);
    await deliver(service, [anEvent()]);
    await eventually(async () => {
      const {
        lastHour,
        lastDay: _,
        countedUpTo: _most,
        ...standing
      } = (await api.get(`/destinations/${destination.id}/stats`)).body;
      expect(lastHour.delivered).toBe(2);
      const { id, name } = destination as unknown as { id: string; name: string };
      const { body: listed } = await api.get('/destinations/stats');
      expect(listed.at(-1)).toMatchObject({
        id,
        name,
        type: 'webhook',
        ...standing,
        oldestPendingSeconds: expect.any(Number) as number,
        countedUpTo: mostCounted(listed.length),
        tries: lastHour,
      });
    });
    const { body: another } = await api.post('/destinations', {
      name: `Another ${destination.id}`,
      type: 'webhook',
      config: { url: receiver.url },
    });
    const first = await api.get('/destinations/stats?span=day&limit=1');
    expect(first.body).toHaveLength(1);
    const link = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(link).toContain('span=day');
    const rest = await api.get(link.replace('limit=1', 'limit=100'));
    const ids = [...first.body, ...rest.body].map(({ id }: { id: string }) => id);
    expect(ids).toEqual((await api.get('/destinations')).body.map(({ id }: { id: string }) => id));
    expect(ids.at(-1)).toBe(another.id);
    await api.delete(`/destinations/${another.id}`);
    for (const [query, path] of [
      ['limit=101', 'limit'],
      ['span=year', 'span'],
      ['cursor=x', 'cursor'],
    ]) {
      expect(await api.get(`/destinations/stats?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [expect.objectContaining({ path })] },
      });
    }
  });

  it('probes a destination that is down without using up tries; a test that succeeds ends its outage', async () => {
    receiver.answer(500);
    await service.app.get(DestinationHealth, { strict: false }).openBreaker(destination.id, 'http_5xx');
    await deliver(service, [anEvent()]);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    await eventually(async () => {
      const { body } = await api.get(`/deliveries/${id}`);
      expect(body).toMatchObject({ state: 'pending', errorClass: 'http_5xx' });
      // Twice as many as it has, and it is still pending.
      expect(body.attempts).toBeGreaterThanOrEqual(1);
      const numbers = body.tries.map(({ attempt }: { attempt: number }) => attempt);
      expect(numbers).toEqual(Array.from({ length: body.attempts }, (_, n) => n + 1));
      expect(body.tries[0]).toMatchObject({ attempt: 1, status: 500, nextTryAt: null });
    });
    const { body } = await api.get(`/destinations/${destination.id}/stats`);
    expect(body.health).toMatchObject({
      state: 'degraded',
      reason: 'http_5xx',
      nextProbeAt: expect.any(String),
    });
    receiver.answer(200);
    const test = await api.post(`/destinations/${destination.id}/test`);
    expect(test.body).toMatchObject({ delivered: true });
    const after = await api.get(`/destinations/${destination.id}/stats`);
    expect(after.body.health).toMatchObject({ nextProbeAt: null });
    await untilStates('delivered');
    const { body: made } = await api.get(`/deliveries/${id}`);
    expect(made.tries.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: made.attempts }, (_, n) => n + 1),
    );
  });

  it('counts no probe as one of the tries that a delivery has', async () => {
    receiver.answer(500);
    const health = service.app.get(DestinationHealth, { strict: false });
    await health.openBreaker(destination.id, 'http_5xx');
    await deliver(service, [anEvent()]);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    const triesOf = async (): Promise<number> => (await api.get(`/deliveries/${id}`)).body.tries.length;
    await eventually(async () => expect(await triesOf()).toBeGreaterThanOrEqual(2));
    const probes = await triesOf();
    await health.closeBreaker(destination.id, true);
    await untilStates('dead');
    // Two are all that each delivery has here.
    const { body } = await api.get(`/deliveries/${id}`);
    expect(body.attempts - probes).toBeGreaterThanOrEqual(2);
    expect(body.attempts).toBe(body.tries.length);
  });

  it('says degraded of a destination that takes nothing, also when it was not tried for a while', async () => {
    receiver.answer(500);
    await deliver(service, [anEvent()]);
    await untilStates('dead');
    const database = service.app.get(Database);
    const stats = async (): Promise<{ health: object; lastHour: { successRate: number | null } }> =>
      (await api.get(`/destinations/${destination.id}/stats`)).body;
    await eventually(async () => expect((await stats()).lastHour.successRate).toBe(0));
    for (const age of ['20 minutes', '3 hours']) {
      await database.query(
        `update delivery_minute set minute = now() - $2::interval where destination_id = $1`,
        [destination.id, age],
      );
      expect((await stats()).health).toMatchObject({ state: 'degraded', reason: 'many_failures' });
    }
  });

  it('says healthy at no moment while all tries fail, also after a resume', async () => {
    const path = `/destinations/${destination.id}`;
    const saidAtNoSuccess = new Set<string>();
    const stats = async (): Promise<{ health: { since: string }; lastDay: Record<string, number> }> => {
      const { body } = await api.get(`${path}/stats`);
      if (body.lastDay.successRate === 0) saidAtNoSuccess.add(body.health.state);
      return body;
    };
    const healthAfter = (outcome: 'dead' | 'delivered', count: number): Promise<{ since: string }> =>
      eventually(async () => {
        const { health, lastDay } = await stats();
        expect(lastDay[outcome]).toBe(count);
        return health;
      });
    const resume = async (): Promise<void> => {
      await api.post(`${path}/pause`);
      await api.post(`${path}/resume`);
    };
    const beganAt = Date.now();
    receiver.answer(500);
    await deliver(service, [anEvent()]);
    const first = await healthAfter('dead', 1);
    expect(Date.parse(first.since)).toBeGreaterThan(beganAt);
    await resume();
    const resumedAt = Date.now();
    expect((await stats()).health).toEqual(first);
    await deliver(service, [anEvent()]);
    const second = await healthAfter('dead', 2);
    expect(Date.parse(second.since)).toBeGreaterThan(resumedAt);
    expect(saidAtNoSuccess).toEqual(new Set(['degraded']));
    await resume();
    receiver.answer(200);
    await deliver(service, [anEvent()]);
    expect(await healthAfter('delivered', 1)).toMatchObject({ state: 'healthy' });
  });

  it('names a reason, but no error and no failed try, of what grew too old before it was tried', async () => {
    await api.post(`/destinations/${destination.id}/pause`);
    await deliver(service, [anEvent()]);
    const inFourDays = Date.now() + 4 * 24 * 60 * 60 * 1000;
    await service.app.get(DeliveryHousekeeping, { strict: false }).tidy(inFourDays);
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    const expired = { id, state: 'dead', attempts: 0, errorClass: null, reason: 'expired' };
    expect((await api.get(`/deliveries/${id}`)).body).toMatchObject({ ...expired, tries: [] });
    const query = `destinationId=${destination.id}&reason=expired`;
    expect((await api.get(`/dead-letters?${query}`)).body).toMatchObject([
      { ...expired, status: null, answer: null },
    ]);
    expect((await api.get(`/destinations/${destination.id}/deliveries`)).body).toMatchObject([expired]);
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${destination.id}/stats`);
      expect(body).toMatchObject({ deadLetters: 1, lastHour: { dead: 1, failed: 0, successRate: null } });
    });
    const { body: replayed } = await api.post(`/dead-letters/${id}/replay`);
    expect(replayed).toMatchObject({ state: 'pending', attempts: 0, errorClass: null, reason: null });
    receiver.answer(400);
    await api.post(`/destinations/${destination.id}/resume`);
    await untilStates('dead');
    const refused = { attempts: 2, errorClass: 'http_4xx', reason: 'http_4xx' };
    expect((await api.get(`/deliveries/${id}`)).body).toMatchObject(refused);
  });

  it('counts what happened', async () => {
    await deliver(service, [anEvent(), anEvent()]);
    await untilStates('delivered', 'delivered');
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${destination.id}/stats`);
      expect(body).toMatchObject({
        health: { state: 'healthy', since: expect.any(String) },
        pending: 0,
        deadLetters: 0,
        oldestPendingSeconds: null,
        lastHour: { delivered: 2, failed: 0, dead: 0, successRate: 1 },
        lastDay: { delivered: 2 },
      });
      expect(body.lastHour.latency.p99Ms).toBeGreaterThan(0);
      expect(String(body.lastHour.latency.p99Ms)).toMatch(/^\d+(\.\d)?$/);
    });
  });

  it('says why the service disabled a destination', async () => {
    receiver.answer(410);
    await deliver(service, [anEvent()]);
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${destination.id}/stats`);
      expect(body.health).toMatchObject({ state: 'disabled', reason: 'gone', since: expect.any(String) });
    });
    const { body: disabled } = await api.get(`/destinations/${destination.id}`);
    expect(disabled).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const { body: audit } = await api.get(`/audit?resource=destination&resourceId=${destination.id}`);
    expect(audit[0]).toMatchObject({
      actor: 'cdp-service',
      actorKind: 'service',
      action: 'disable',
      after: { enabled: false, disabledReason: 'gone' },
    });
    receiver.answer(200);
    const test = await api.post(`/destinations/${destination.id}/test`);
    expect(test.body).toMatchObject({ delivered: true });
    expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(false);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    // The try may be counted only now; it was made before.
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${destination.id}/stats`);
      const health = { state: 'healthy', since: expect.any(String) as string };
      expect(body).toMatchObject({ health, lastHour: { dead: 1 } });
    });
    const off = await api.put(`/destinations/${destination.id}`, { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, disabledReason: null });
    expect((await api.get(`/destinations/${destination.id}`)).body).toMatchObject({ disabledReason: null });
    const paused = await api.get(`/destinations/${destination.id}/stats`);
    expect(paused.body.health).toMatchObject({ state: 'paused', reason: 'by_operator' });
  });

  it('says that what is replayed or tried again waits, where the service switched the destination off', async () => {
    receiver.answer(410);
    await deliver(service, [anEvent()]);
    await eventually(async () => {
      expect((await api.get(`/destinations/${destination.id}`)).body.enabled).toBe(false);
    });
    const { id } = (await ledgerOf(service, destination.id))[0]!;
    const waits = { waitsFor: 'destination_disabled' };
    const { body: many } = await api.post('/dead-letters/replay', { destinationId: destination.id });
    expect(many).toMatchObject(waits);
    const fromNow = { from: new Date().toISOString() };
    const { body: events } = await api.post(`/destinations/${destination.id}/replay`, fromNow);
    expect(events).toMatchObject(waits);
    await untilStates('pending');
    expect((await api.post(`/deliveries/${id}/retry`)).body).toMatchObject({ ...waits, state: 'pending' });
    await eventually(async () => {
      expect((await api.get(`/replays/${many.id}`)).body).toMatchObject({ ...waits, state: 'done' });
    });
    expect((await api.delete(`/replays/${events.id}`)).body).toMatchObject(waits);
    receiver.answer(200);
    await api.post(`/destinations/${destination.id}/resume`);
    await untilStates('delivered');
    expect((await api.get(`/replays/${many.id}`)).body).toMatchObject({ waitsFor: null });
  });

  it('rotates the secret: from the next try on both sign, then the new one alone', async () => {
    const old = destination.config.secret;
    const { body } = await api.post(`/destinations/${destination.id}/rotate-secret`, {
      overlapSeconds: 3600,
    });
    const young = body.secrets.secret as string;
    expect(young).not.toBe(old);
    await deliver(service, [anEvent()]);
    await untilStates('delivered');
    const [first] = receiver.received;
    const headers = first!.headers as Record<string, string>;
    expect(isSignedWith(young, first!)).toBe(true);
    new Webhook(old).verify(first!.body, headers);
    new Webhook(young).verify(first!.body, headers);
    await api.post(`/destinations/${destination.id}/rotate-secret`, { overlapSeconds: 0 });
    await deliver(service, [anEvent()]);
    await untilStates('delivered', 'delivered');
    const second = receiver.received.at(-1)!;
    expect(second.headers['webhook-signature']).not.toContain(' ');
    const shown = await api.get(`/destinations/${destination.id}`);
    expect(shown.body.config.secret).toMatch(/^\*{4}/);
  });

  it('writes down who operated on which destination and delivery', async () => {
    const { id: destinationId } = destination;
    const auditOf = async (resource: string, id: string): Promise<{ action: string }[]> => {
      const { body } = await api.get(`/audit?resource=${resource}&resourceId=${id}`);
      for (const { actor, requestId } of body) {
        expect({ actor, requestId }).toEqual({ actor: expect.any(String), requestId: expect.any(String) });
      }
      return body.toReversed();
    };
    for (const operation of ['test', 'pause', 'pause', 'resume', 'rotate-secret']) {
      await api.post(`/destinations/${destinationId}/${operation}`);
    }
    receiver.answer(500);
    await deliver(service, [anEvent(), anEvent(), anEvent()]);
    await untilStates('dead', 'dead', 'dead');
    const [retried, replayed, discarded] = await ledgerOf(service, destinationId);
    await api.post(`/deliveries/${retried!.id}/retry`);
    await api.post(`/dead-letters/${replayed!.id}/replay`);
    await api.delete(`/dead-letters/${discarded!.id}`);
    await api.delete(`/dead-letters/${discarded!.id}`);
    const replay = await api.post(`/destinations/${destinationId}/replay`, { from: '2020-01-01T00:00:00Z' });
    await api.delete(`/replays/${replay.body.id}`);
    await api.post('/dead-letters/replay', { destinationId, reason: 'timeout' });
    await api.post('/dead-letters/discard', { destinationId, reason: 'timeout' });
    expect(await auditOf('destination', destinationId)).toMatchObject([
      { action: 'create' },
      { action: 'test', after: { delivered: true, status: 200, errorClass: null } },
      { action: 'pause', before: { enabled: true }, after: { enabled: false } },
      { action: 'resume', before: { enabled: false }, after: { enabled: true } },
      { action: 'rotate_secret', before: { secret: expect.stringMatching(/^\*{4}/) } },
      { action: 'replay_events', after: { id: replay.body.id } },
      { action: 'cancel_replay', after: { id: replay.body.id } },
      { action: 'replay_dead_letters', after: { kind: 'dead_letters' } },
      { action: 'discard_dead_letters', after: { reason: 'timeout', discarded: 0 } },
    ]);
    expect(await auditOf('delivery', retried!.id)).toMatchObject([
      { action: 'retry', before: { state: 'dead', destinationId } },
    ]);
    expect(await auditOf('delivery', replayed!.id)).toMatchObject([
      { action: 'replay', before: { state: 'dead', destinationId } },
    ]);
    expect(await auditOf('delivery', discarded!.id)).toMatchObject([
      { action: 'discard', before: { state: 'dead', destinationId } },
    ]);
  });

  it('takes an id in capitals for the same id', async () => {
    const inCapitals = destination.id.toUpperCase();
    const at = `/destinations/${inCapitals}`;
    const from = new Date().toISOString();
    await deliver(service, [anEvent()]);
    await untilStates('delivered');
    expect((await api.post(`${at}/replay/dry-run`, { from })).body).toMatchObject({ deliveries: 1 });
    expect((await api.post(`${at}/filter/preview`, {})).status).toBe(200);
    for (const operation of ['test', 'pause', 'resume']) await api.post(`${at}/${operation}`);
    await api.post('/dead-letters/discard', { destinationId: inCapitals });
    const { body } = await api.get(`/audit?resource=destination&resourceId=${destination.id}`);
    expect(body.map(({ action }: { action: string }) => action)).toEqual([
      'discard_dead_letters',
      'resume',
      'pause',
      'test',
      'create',
    ]);
    await deliver(service, [anEvent()]);
    await untilStates('delivered', 'delivered');
  });

  it('answers 400 that names the parameter to filters that make no sense', async () => {
    const bad = {
      limit: ['0', '-1', 'abc', '1.5', '1001', ''],
      cursor: ['abc', '0', `${destination.id}x`],
      from: ['yesterday', '2026-13-01T00:00:00Z', '2026-02-30', '1', '-1-01-01'],
      to: ['now', '2026-01-01T25:00:00Z'],
      state: ['lost', 'DEAD'],
      userId: ['x'.repeat(1_001)],
      type: ['x'.repeat(51)],
      unknown: ['1'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, body } = await api.get(`/destinations/${destination.id}/deliveries?${name}=${value}`);
        expect([name, value, status, body?.errors?.[0]?.path]).toEqual([name, value, 400, name]);
      }
    }
    for (const query of ['destinationId=1', 'from=x', 'limit=0', 'cursor=x', 'state=dead', 'x=']) {
      const { status, body } = await api.get(`/dead-letters?${query}`);
      expect([query, status, body?.errors?.[0]?.path]).toEqual([query, 400, query.split('=')[0]]);
    }
    expect((await api.get('/dead-letters?limit=1&limit=2')).status).toBe(400);
    expect((await api.get('/dead-letters?reason=a&reason=b')).status).toBe(400);
  });

  it('keeps a rate limit, shows it, clears it, and refuses one that makes no sense', async () => {
    const path = `/destinations/${destination.id}`;
    expect((await api.get(path)).body).toMatchObject({ rateLimit: null });
    const limited = await api.put(path, { rateLimit: { perSecond: 0.5 } });
    expect(limited.body).toMatchObject({ rateLimit: { perSecond: 0.5 } });
    expect((await api.put(path, { name: 'Limited' })).body).toMatchObject({ rateLimit: { perSecond: 0.5 } });
    expect((await api.put(path, { rateLimit: null })).body).toMatchObject({ rateLimit: null });
    for (const perSecond of [0, -1, 10_001, '5', null, undefined]) {
      const { status, body } = await api.put(path, { rateLimit: { perSecond } });
      expect([status, body.errors[0].path]).toEqual([400, 'rateLimit.perSecond']);
    }
    for (const rateLimit of [5, '5', [], { perSecond: 5, perMinute: 5 }]) {
      const { status, body } = await api.put(path, { rateLimit });
      expect([status, body.errors[0].path]).toEqual([400, expect.stringMatching(/^rateLimit/)]);
    }
  });

  it('refuses to create or change a destination to an address that must not be reached', async () => {
    const url = 'http://169.254.169.254/latest';
    const created = await api.post('/destinations', { name: 'Hostile', type: 'webhook', config: { url } });
    expect(created.status).toBe(400);
    expect(created.body.errors).toMatchObject([{ path: 'config.url', code: 'url_not_allowed' }]);
    const changed = await api.put(`/destinations/${destination.id}`, { config: { url } });
    expect(changed.status).toBe(400);
  });
});
