import { randomUUID } from 'node:crypto';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { gunzipSync } from 'node:zlib';
import { BatchProcessor } from '../../src/delivery/batches/batch.processor';
import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { cleanNotices } from '../../src/delivery/ledger/ending/clean-notices';
import { Database } from '../../src/platform/database/database';
import { aSource } from '../support/a-source';
import { anEvent } from '../support/an-event';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startBucket, type TestBucket } from '../support/s3-server';
import { sendTracks } from '../support/send-events';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '200',
  CDP_DELIVERY_MAX_ATTEMPTS: '3',
};

/** An upload of it holds as much memory as any. */
const LARGE = 'x'.repeat(4 * 1024 * 1024);

describe.each(queueKinds())('the S3 export on %s queues', (queue) => {
  let service: TestService;
  let bucket: TestBucket;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ queue, env: FAST });
    api = await anApiClient(service);
  });
  afterAll(async () => service.close());
  beforeEach(async () => {
    bucket = await startBucket();
  });
  afterEach(async () => {
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
    await bucket.close();
  });

  async function anExport(config: object = {}, more: object = {}): Promise<string> {
    const answer = await api.post('/destinations', {
      name: `Export ${Math.random()}`,
      type: 's3-export',
      config: { ...bucket.config, flushSeconds: 1, ...config },
      ...more,
    });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.id;
  }

  async function exported(): Promise<Record<string, unknown>[]> {
    const objects = await Promise.all(bucket.keys().map((key) => bucket.read(key)));
    return objects.flatMap((object) =>
      gunzipSync(object)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
  }

  async function retryOneOf(id: string): Promise<ApiAnswer<unknown>> {
    const [first] = await ledgerOf(service, id);
    return api.post(`/deliveries/${first!.id}/retry`);
  }

  async function statesOf(destinationId: string): Promise<string[]> {
    return [...new Set((await ledgerOf(service, destinationId)).map(({ state }) => state))];
  }

  it('writes each event once, in objects that are closed by count and by age', async () => {
    const id = await anExport({ maxEvents: 100 });
    const events = Array.from({ length: 250 }, (_, n) => anEvent({ messageId: `m${n}` }));
    await deliver(service, events);
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(bucket.keys()).toHaveLength(3);
    expect(bucket.keys()[0]).toMatch(
      /^source=[0-9a-f-]{36}\/date=\d{4}-\d\d-\d\d\/hour=\d\d\/[0-9a-f-]{36}\.ndjson\.gz$/,
    );
    const ids = (await exported()).map(({ messageId }) => String(messageId));
    expect(ids.toSorted()).toEqual(events.map(({ messageId }) => messageId).toSorted());
    const { count } = (
      await service.app.get(Database).query<{ count: number }>(
        `select count(*)::int as count from delivery_attempt a join delivery d on d.id = a.delivery_id
           where d.destination_id = $1 and a.status = 200`,
        [id],
      )
    )[0]!;
    expect(count).toBe(250);
  });

  it('writes an object for each of many sources without one waiting for the others', async () => {
    const id = await anExport();
    const sources = Array.from({ length: 60 }, () => randomUUID());
    await deliver(
      service,
      sources.map((sourceId) => anEvent({ sourceId })),
    );
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(bucket.keys().map((key) => key.split('/')[0])).toEqual(
      sources.map((source) => `source=${source}`).toSorted(),
    );
    // All were closed in one round.
    const [row] = await service.app
      .get(Database)
      .query<{ rounds: number }>(
        'select count(distinct created_at)::int as rounds from delivery_batch where destination_id = $1',
        [id],
      );
    expect(row?.rounds).toBe(1);
  });

  it('waits while the bucket is away, says so, and goes on when it is back', async () => {
    const id = await anExport({ bucket: 'not-there-yet' });
    const health = async (): Promise<unknown> => (await api.get(`/destinations/${id}/stats`)).body.health;
    await deliver(service, [anEvent(), anEvent()]);
    await eventually(async () =>
      expect(await health()).toMatchObject({
        state: 'degraded',
        reason: 's3_access',
        since: expect.stringMatching(/Z$/),
        nextProbeAt: expect.stringMatching(/Z$/),
      }),
    );
    await deliver(service, [anEvent()]);
    bucket.create('not-there-yet');
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(bucket.keys('not-there-yet')).toHaveLength(2);
    expect(await health()).toMatchObject({ state: 'healthy', reason: null });
    // The tries that found it out, and the one that worked.
    const [first] = await ledgerOf(service, id);
    expect(first).toMatchObject({ attempts: 3 });
  });

  it('waits its turn while large uploads that hang hold all there is room for, and gets it when those are deleted', async () => {
    const hanging = await Receiver.start();
    hanging.behaviour = () => undefined;
    const others: string[] = [];
    // Four of the first one, and one of each of the others.
    for (const uploads of [4, 5, 6]) {
      others.push(await anExport({ endpoint: hanging.url }));
      await deliver(
        service,
        Array.from({ length: 4 }, () => anEvent({ sourceId: randomUUID(), properties: { text: LARGE } })),
      );
      await eventually(() => expect(hanging.received.length).toBe(uploads));
    }

    const ended = new Set<string>();
    const { worker } = service.app.get(BatchProcessor);
    worker.on('completed', ({ data }) => ended.add(data.destinationId));
    worker.on('failed', (job) => ended.add(job?.data.destinationId));
    const id = await anExport();
    await deliver(service, [anEvent()]);
    await eventually(() => expect(ended).toContain(id));
    expect(await statesOf(id)).toEqual(['pending']);
    const [waiting] = await ledgerOf(service, id);
    expect((await api.get(`/deliveries/${waiting?.id}`)).body.waitsFor).toBe('batch');

    for (const other of others) {
      const [sent] = await ledgerOf(service, other);
      expect((await api.delete(`/destinations/${other}`)).status).toBe(204);
      // It is cancelled in a moment.
      expect(await api.post(`/deliveries/${sent?.id}/retry`)).toMatchObject({
        status: 409,
        body: { code: expect.stringMatching(/^(?:destination_deleted|delivery_over)$/) },
      });
    }
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    await hanging.stop();
  });

  it('says what is sent at this moment, and what waits for its next try', async () => {
    const receiver = await Receiver.start();
    receiver.behaviour = () => undefined;
    const id = await anExport({ endpoint: receiver.url });
    await deliver(service, [anEvent()]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const [delivery] = await ledgerOf(service, id);
    const wait = async (): Promise<unknown> => (await api.get(`/deliveries/${delivery?.id}`)).body;
    expect(await wait()).toMatchObject({ state: 'pending', waitsFor: null, nextTryAt: null });
    await service.app
      .get(Database)
      .query(
        `update delivery_batch set leased_by = null, due_at = now() + interval '1 hour' where destination_id = $1`,
        [id],
      );
    expect(await wait()).toMatchObject({ waitsFor: 'next_try', nextTryAt: expect.stringMatching(/Z$/) });
    await service.app
      .get(Database)
      .query(`update delivery_batch set due_at = now() - interval '1 hour' where destination_id = $1`, [id]);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const [, overdue] = /^cdp_delivery_overdue_seconds\{destination_state="up"\} ([\d.]+)$/m.exec(text) ?? [];
    expect(Number(overdue)).toBeGreaterThan(3_500);
    await api.delete(`/destinations/${id}`);
    await receiver.stop();
  });

  it('writes its objects while the uploads of five others hang', async () => {
    const hanging = await Receiver.start();
    hanging.behaviour = () => undefined;
    for (let other = 0; other < 5; other++) await anExport({ endpoint: hanging.url });
    const events = Array.from({ length: 4 }, () => anEvent({ sourceId: randomUUID() }));
    await deliver(service, events);
    await eventually(() => expect(hanging.received).toHaveLength(20));
    const id = await anExport();
    await deliver(
      service,
      events.map(() => anEvent({ sourceId: randomUUID() })),
    );
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(hanging.received).toHaveLength(20);
    await hanging.stop();
  });

  it('records a batch, and writes it once, when the log of tries cannot be written', async () => {
    const id = await anExport({ bucket: 'later' });
    const database = service.app.get(Database);
    await database.query(
      `create function refuse_log() returns trigger language plpgsql as $$ begin raise 'the log is broken'; end $$`,
    );
    await database.query(
      'create trigger refuse_log before insert on delivery_attempt for each row execute function refuse_log()',
    );
    try {
      await deliver(service, [anEvent(), anEvent()]);
      // A try that fails is on record, too: the second in a row says that the bucket is away.
      await eventually(async () =>
        expect(await ledgerOf(service, id)).toMatchObject([
          { attempts: 2, error_class: 's3_access', state: 'pending' },
          { attempts: 2, error_class: 's3_access', state: 'pending' },
        ]),
      );
      bucket.create('later');
      await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    } finally {
      await database.query('drop function refuse_log cascade');
    }
    expect(bucket.written.filter((key) => key.startsWith('source='))).toHaveLength(1);
    const logged = await database.query(
      'select from delivery_attempt a join delivery d on d.id = a.delivery_id where d.destination_id = $1',
      [id],
    );
    expect(logged).toEqual([]);
  });

  it.each([
    ['a test of the destination succeeds', (id: string) => api.post(`/destinations/${id}/test`), true],
    ['a retry of one of its deliveries is asked for', retryOneOf, false],
  ] as const)('sends a batch that waits for hours at once when %s', async (_when, act, isDown) => {
    const id = await anExport({ bucket: 'there-soon' });
    await deliver(service, [anEvent(), anEvent()]);
    await eventually(async () =>
      expect(await ledgerOf(service, id)).toMatchObject([{ attempts: 2 }, { attempts: 2 }]),
    );
    await api.post(`/destinations/${id}/pause`);
    await service.app
      .get(Database)
      .query(`update delivery_batch set due_at = now() + interval '6 hours' where destination_id = $1`, [id]);
    // To be switched on ends an outage; where it goes on, no probe shall be what ends it.
    await api.post(`/destinations/${id}/resume`);
    if (isDown) {
      const health = service.app.get(DestinationHealth, { strict: false });
      await health.openBreaker(id, 's3_access', 6 * 3600_000);
    }
    bucket.create('there-soon');
    expect([200, 202]).toContain((await act(id)).status);
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(bucket.keys('there-soon')).toHaveLength(1);
  });

  it('gives up in the end', async () => {
    const id = await anExport({ bucket: 'never-there' });
    await deliver(service, [anEvent()]);
    await service.app
      .get(Database)
      .query('update delivery set attempt_limit = 1 where destination_id = $1', [id]);
    await eventually(async () => expect(await statesOf(id)).toEqual(['dead']));
    expect(await ledgerOf(service, id)).toMatchObject([{ attempts: 1, error_class: 's3_access' }]);
    const queued = service.app.get<Queue>(getQueueToken('dead-letters'), { strict: false });
    await eventually(async () => {
      const letters = (await queued.getFailed()).filter(({ data }) => data.destinationId === id);
      expect(letters).toMatchObject([{ data: { errorClass: 's3_access', tries: 1 } }]);
      expect((await api.get(`/destinations/${id}/stats`)).body.lastHour.dead).toBe(1);
    });
  });

  it('writes a replayed dead letter into the object of its batch, beside what is there', async () => {
    const id = await anExport({}, { mapping: { drop: ['userId'] } });
    await deliver(service, [anEvent({ messageId: 'a' }), anEvent({ messageId: 'b' })]);
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    const database = service.app.get(Database);
    // As if the first try had only known of one of the two.
    await database.query(
      `update delivery set state = 'dead' where id = (select max(id::text)::uuid from delivery
      where destination_id = $1)`,
      [id],
    );
    await database.query(
      `update delivery set state = 'pending', due_at = now(), attempt_limit = attempts + 3
      where destination_id = $1 and state = 'dead'`,
      [id],
    );
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    expect(bucket.keys()).toHaveLength(1);
    const events = await exported();
    expect(events.map(({ messageId }) => String(messageId)).toSorted()).toEqual(['a', 'b']);
    expect(events[0]).not.toHaveProperty('userId');
  });

  it('leaves an object as it is that could only be written over without what is in it', async () => {
    const id = await anExport();
    const events = [anEvent({ messageId: 'first' }), anEvent({ messageId: 'second' })];
    await deliver(service, events);
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    const database = service.app.get(Database);
    await database.query('delete from event where id = any($1::uuid[])', [events.map((event) => event.id)]);
    await database.query(
      `update delivery set state = 'pending', due_at = now(), attempt_limit = attempts + 3
       where id = (select max(id::text)::uuid from delivery where destination_id = $1)`,
      [id],
    );
    await eventually(async () =>
      expect(await ledgerOf(service, id)).toMatchObject([
        { state: 'delivered' },
        { state: 'dead', error_class: 'event_expired' },
      ]),
    );
    expect(new Set((await exported()).map(({ messageId }) => messageId))).toEqual(
      new Set(['first', 'second']),
    );
    expect(await exported()).toHaveLength(2);
    // Many tries of the minute may have failed by this one, but that the bucket is away it does not say.
    const { health } = (await api.get(`/destinations/${id}/stats`)).body;
    expect([null, 'many_failures']).toContain(health.reason);
  });

  it('writes a replayed notice into another object when its own could only be written again without others', async () => {
    const { writeKey } = await aSource(service.databaseUrl);
    const people = ['user-1', 'user-2', 'user-3'];
    await sendTracks({ url: service.url, writeKey }, ['1', '22', '333']);
    for (const userId of people)
      await eventually(async () => expect((await api.get(`/profiles/${userId}`)).status).toBe(200));
    const id = await anExport({ maxEvents: 2, flushSeconds: 3_600 }, { notices: ['delete'] });
    const erase = async (userId: string): Promise<void> =>
      expect(await api.delete(`/profiles/${userId}`)).toMatchObject({ status: 200 });
    for (const userId of people.slice(0, 2)) await erase(userId);
    await eventually(() => expect(bucket.keys()).toHaveLength(1));
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    const database = service.app.get(Database);
    const [last] = (await ledgerOf(service, id)).toReversed();
    await database.query(`update delivery set state = 'dead' where id = $1`, [last!.id]);
    await cleanNotices(database);
    await api.post(`/dead-letters/${last!.id}/replay`, {});
    await erase(people[2]!);
    await eventually(() => expect(bucket.keys()).toHaveLength(2));
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
    const notified = (await exported()).map(({ userId }) => String(userId));
    expect(notified.toSorted()).toEqual(['user-1', 'user-2', 'user-2', 'user-3']);
  });

  it('keeps what waits while it is paused', async () => {
    const id = await anExport({}, { enabled: false });
    await deliver(service, [anEvent()]);
    expect(await statesOf(id)).toEqual(['pending']);
    await api.put(`/destinations/${id}`, { enabled: true });
    await eventually(async () => expect(await statesOf(id)).toEqual(['delivered']));
  });

  it('has no rate limit, and names the field to who asks for one', async () => {
    const rateLimit = { perSecond: 5 };
    const refusal = {
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: 'rateLimit', code: 'not_supported' }] },
    };
    const given = { name: 'Export', type: 's3-export', config: bucket.config };
    expect(await api.post('/destinations', { ...given, rateLimit })).toMatchObject(refusal);
    const id = await anExport({}, { rateLimit: null });
    expect(await api.put(`/destinations/${id}`, { rateLimit })).toMatchObject(refusal);
    const cleared = await api.put(`/destinations/${id}`, { rateLimit: null });
    expect(cleared).toMatchObject({ status: 200, body: { rateLimit: null } });
  });

  it('says whether the bucket can be written to, and leaves nothing in it', async () => {
    const id = await anExport();
    const works = await api.post(`/destinations/${id}/test`);
    expect(works).toMatchObject({ status: 200, body: { delivered: true } });
    expect(bucket.keys()).toEqual([]);
    await api.put(`/destinations/${id}`, { config: { ...bucket.config, bucket: 'somewhere-else' } });
    const fails = await api.post(`/destinations/${id}/test`);
    expect(fails.body).toMatchObject({ delivered: false, errorClass: 's3_access' });
  });

  it('goes over to the credentials of the service when its secret is null', async () => {
    const config = { bucket: 'customer-events', region: 'eu-central-1' };
    const keys = { accessKeyId: 'an-access-key', secretAccessKey: 'a-secret-of-some-length' };
    const given = { name: 'Over to a role', type: 's3-export', enabled: false };
    const { body } = await api.post('/destinations', { ...given, config: { ...config, ...keys } });
    const kept = { ...config, accessKeyId: 'another-access-key' };
    expect(await api.put(`/destinations/${body.id}`, { config: kept })).toMatchObject({
      status: 200,
      body: { config: { ...kept, secretAccessKey: '****ngth' } },
    });
    const without = await api.put(`/destinations/${body.id}`, {
      config: { ...config, secretAccessKey: null },
    });
    expect(without.body.config).toEqual(config);
    expect((await api.get(`/destinations/${body.id}`)).body.config).toEqual(config);
  });

  it.each([
    [{ bucket: 'Not A Bucket' }, 'config.bucket'],
    [{ bucket: 'b-ucket', format: 'csv' }, 'config.format'],
    [{ bucket: 'b-ucket', endpoint: 'http://169.254.169.254/' }, 'config.endpoint'],
    [{ bucket: 'b-ucket', accessKeyId: 'only half' }, 'config.secretAccessKey'],
    [{ bucket: 'b-ucket', maxEvents: 0 }, 'config.maxEvents'],
    [{ bucket: 'b-ucket', prefix: '/events' }, 'config.prefix'],
    [{ bucket: 'b-ucket', prefix: './events' }, 'config.prefix'],
    [{ bucket: 'b-ucket', prefix: 'events/../' }, 'config.prefix'],
  ])('refuses %j', async (config, path) => {
    const answer = await api.post('/destinations', { name: 'wrong', type: 's3-export', config });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });
});
