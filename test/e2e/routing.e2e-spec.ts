import { createHash, createHmac } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { Deliveries } from '../../src/delivery/deliveries';
import { deletionNotice } from '../../src/delivery/new-notices';
import { countDestinationChangeSql } from '../../src/destinations/destination-change';
import { Database } from '../../src/platform/database/database';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

describe('routing', () => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
  });
  afterAll(async () => service.close());
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
    await receiver.stop();
  });

  /** A destination at a path of the receiver that is its name. */
  async function aDestination(name: string, routing: object): Promise<string> {
    const config = { url: `${receiver.url}/${name}` };
    const answer = await api.post('/destinations', { name, type: 'webhook', config, ...routing });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.id;
  }

  function receivedAt(name: string): Record<string, unknown>[] {
    return receiver.received
      .filter(({ path }) => path === `/${name}`)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  it('delivers what sources, types, names and conditions let pass', async () => {
    const { body: source } = await api.post('/sources', { name: `Shop ${uuidv7()}` });
    await aDestination('everything', {});
    await aDestination('one-source', { sources: [source.id] });
    await aDestination('orders', {
      filter: {
        types: ['track'],
        events: ['Order *'],
        conditions: [{ field: 'properties.amount', operator: 'gte', value: 100 }],
      },
    });
    await deliver(service, [
      anEvent({ messageId: 'big', event: 'Order Completed', properties: { amount: 150 } }),
      anEvent({ messageId: 'small', event: 'Order Completed', properties: { amount: 50 } }),
      anEvent({ messageId: 'other', event: 'Signed Up', sourceId: source.id, properties: { amount: 150 } }),
    ]);
    await eventually(() => expect(receiver.received).toHaveLength(5));
    expect(receivedAt('everything')).toHaveLength(3);
    expect(receivedAt('one-source')).toMatchObject([{ messageId: 'other' }]);
    expect(receivedAt('orders')).toMatchObject([{ messageId: 'big' }]);
  });

  it('delivers only events of members of a segment', async () => {
    const segmentId = uuidv7();
    const database = service.app.get(Database);
    await database.query(
      `insert into segment (id, name, match, rules, generation, live_generation, live_match, live_rules, state)
       values ($1, 'vip', 'all', '[{"field":"vip","operator":"eq","value":true}]', 900, 900, 'all', '[]', 'live')`,
      [segmentId],
    );
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at) values ('u:vip', 900, true, now())`,
    );
    await aDestination('members', { filter: { segments: [segmentId] } });
    await deliver(service, [
      anEvent({ subject: 'u:vip', userId: 'vip', messageId: 'yes' }),
      anEvent({ subject: 'u:somebody', userId: 'somebody', messageId: 'no' }),
    ]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receivedAt('members')).toMatchObject([{ messageId: 'yes' }]);
  });

  it('maps before it signs, the same on each try', async () => {
    const id = await aDestination('mapped', {
      mapping: {
        drop: ['properties.secret'],
        hash: [{ path: 'userId' }],
        rename: [{ from: 'properties.amount', to: 'value' }],
        constant: [{ path: 'from', value: 'cdp' }],
      },
    });
    let calls = 0;
    receiver.behaviour = (_delivery, response) =>
      void response.writeHead((calls += 1) === 1 ? 500 : 200).end();
    await deliver(service, [anEvent({ properties: { amount: 5, secret: 'x', keep: 1 } })]);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
    expect(receivedAt('mapped')[0]).toMatchObject({
      value: 5,
      from: 'cdp',
      properties: { keep: 1 },
      userId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { body } = await api.get(`/destinations/${id}`);
    expect(body.mapping).toMatchObject({ hashKey: '********', drop: ['properties.secret'] });
  });

  it('keeps the key of a mapping for its mask, and takes no mask for a key', async () => {
    const mapping = { hash: [{ path: 'userId' }], hashKey: '********' };
    const refused = {
      status: 400,
      body: { errors: [expect.objectContaining({ path: 'mapping.hashKey', code: 'masked_secret' })] },
    };
    const webhook = { name: `Masked ${uuidv7()}`, type: 'webhook', config: { url: receiver.url } };
    expect(await api.post('/destinations', { ...webhook, mapping })).toMatchObject(refused);
    const id = await aDestination('keyed', {});
    expect(await api.put(`/destinations/${id}`, { mapping })).toMatchObject(refused);

    const own = { ...mapping, hashKey: 'a-key-of-its-own' };
    expect(await api.put(`/destinations/${id}`, { mapping: own })).toMatchObject({ status: 200 });
    expect(await api.put(`/destinations/${id}`, { mapping })).toMatchObject({ status: 200 });
    const another = { ...mapping, hashKey: '****9f3b' };
    expect(await api.put(`/destinations/${id}`, { mapping: another })).toMatchObject(refused);
    await deliver(service, [anEvent({ userId: 'ada' })]);
    await eventually(() => expect(receivedAt('keyed')).toHaveLength(1));
    const hashed = createHmac('sha256', own.hashKey).update('ada').digest('hex');
    expect(receivedAt('keyed')).toMatchObject([{ userId: hashed }]);
  });

  it('passes numbers on as they were sent, mapped or not', async () => {
    const numbers =
      '{"id":9007199254740993,"long":123456789012345678901234567890,"price":1.0,"zero":-0,"e":[1E5]}';
    await aDestination('plain', {});
    await aDestination('changed', {
      mapping: {
        drop: ['context'],
        rename: [{ from: 'properties.id', to: 'account' }],
        hash: [{ path: 'properties.long', method: 'sha256' }],
      },
    });
    const { body: source } = await api.post('/sources', { name: `Numbers ${uuidv7()}` });
    const answer = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}` },
      body: `{"batch":[{"type":"track","event":"e","userId":42.0,"messageId":"m","timestamp":"2026-01-31T12:00:00Z",
        "properties":${numbers},"extra":1.50}],"context":{"screen":1.0}}`,
    });
    expect(answer.status).toBe(200);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const [plain, changed] = ['/plain', '/changed'].map(
      (path) => receiver.received.find((one) => one.path === path)?.body,
    );
    expect(plain).toContain(`"userId":"42","context":{"screen":1.0},"properties":${numbers}`);
    expect(plain).toContain('"extra":1.50');
    const hash = createHash('sha256').update('123456789012345678901234567890').digest('hex');
    expect(changed).toContain(`"properties":{"long":"${hash}","price":1.0,"zero":-0,"e":[1E5]}`);
    expect(changed).toContain('"account":9007199254740993');
  });

  it('keeps what an update leaves out and clears what it sets to null', async () => {
    const filter = { types: ['track'] };
    const id = await aDestination('changing', { filter, mapping: { hash: [{ path: 'userId' }] } });
    const renamed = await api.put(`/destinations/${id}`, { name: 'changed' });
    expect(renamed.body).toMatchObject({ filter, mapping: { hash: [{ path: 'userId' }] } });
    const cleared = await api.put(`/destinations/${id}`, { filter: null, mapping: null });
    expect(cleared.body).toMatchObject({ filter: null, mapping: null, connectorInstalled: true });
  });

  it('tells who asked for it that somebody moved into or out of a segment', async () => {
    const id = await aDestination('told', { notices: ['segment_entered'], filter: { events: ['nothing'] } });
    await aDestination('not-told', {});
    const deliveries = service.app.get(Deliveries, { strict: false });
    const change = {
      segmentId: uuidv7(),
      segmentName: 'VIP',
      subject: 'u:ada',
      at: new Date().toISOString(),
    } as const;
    const moved = [
      { ...change, change: 'entered' },
      { ...change, change: 'exited' },
    ] as const;
    const chunks = await service.app.get(Database).transaction(async (tx) => {
      await deliveries.refresh(tx);
      return deliveries.route([], moved, tx);
    });
    await deliveries.enqueue(chunks);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receivedAt('told')).toMatchObject([
      {
        type: 'track',
        event: 'Segment Entered',
        userId: 'ada',
        properties: { segmentId: change.segmentId, segmentName: 'VIP' },
      },
    ]);
    const listed = await api.get<object[]>(`/destinations/${id}/deliveries`);
    expect(listed.body).toMatchObject([{ eventType: 'track', eventName: 'Segment Entered' }]);
  });

  it('tells who asked for it that a person was deleted', async () => {
    await aDestination('told', { notices: ['delete'] });
    const deliveries = service.app.get(Deliveries, { strict: false });
    const notice = deletionNotice(
      'u:ada',
      { userIds: ['ada', 'lovelace'], anonymousIds: ['visitor'] },
      new Date().toISOString(),
    );
    const { made } = await service.app.get(Database).transaction((tx) => deliveries.announce([notice], tx));
    await deliveries.enqueue(made);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receivedAt('told')).toMatchObject([
      { type: 'delete', userId: 'ada', userIds: ['ada', 'lovelace'], anonymousIds: ['visitor'] },
    ]);
  });

  it('shows which of the newest events a filter would let pass', async () => {
    const id = await aDestination('previewed', { filter: { events: ['Previewed *'] } });
    const events = ['Previewed A', 'Other', 'Previewed B'].map((event) => anEvent({ event }));
    for (const event of events) await deliver(service, [event]);
    const own = await api.post(`/destinations/${id}/filter/preview`, { last: 3 });
    expect(own).toMatchObject({ status: 200, body: { considered: 3, passed: 2 } });
    expect(
      own.body.events.map(({ event, passes }: { event: string; passes: boolean }) => [event, passes]),
    ).toEqual([
      ['Previewed B', true],
      ['Other', false],
      ['Previewed A', true],
    ]);
    const other = await api.post(`/destinations/${id}/filter/preview`, {
      filter: { events: ['Other'] },
      last: 3,
    });
    expect(other.body).toMatchObject({ passed: 1 });
    const wrong = await api.post(`/destinations/${id}/filter/preview`, { filter: { events: [''] } });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'filter.events[0]' }] } });
    expect(await api.post(`/destinations/${uuidv7()}/filter/preview`, {})).toMatchObject({ status: 404 });
  });

  it('shows that nothing passes a filter of a later version, which this one cannot read', async () => {
    const id = await aDestination('unreadable', {});
    await deliver(service, [anEvent({ event: 'Previewed' })]);
    const database = service.app.get(Database);
    await database.query(`update destination set filter = '{"events": {"like": "P%"}}' where id = $1`, [id]);
    await database.query(countDestinationChangeSql);
    const preview = await api.post(`/destinations/${id}/filter/preview`, { last: 1 });
    expect(preview).toMatchObject({ status: 200, body: { considered: 1, passed: 0 } });
    const other = { filter: { events: ['Previewed'] }, last: 1 };
    expect((await api.post(`/destinations/${id}/filter/preview`, other)).body).toMatchObject({ passed: 1 });
  });

  it.each([
    [{ filter: { conditions: [{ field: 'a', operator: 'is' }] } }, 'filter.conditions[0].operator'],
    [{ filter: { events: [1] } }, 'filter.events[0]'],
    [{ filter: { segments: ['0190a1b2-0000-7000-8000-00000000dead'] } }, 'filter.segments[0]'],
    [{ sources: ['0190a1b2-0000-7000-8000-00000000dead'] }, 'sources[0]'],
    [{ sources: [] }, 'sources'],
    [{ mapping: { rename: [{ from: 'a' }] } }, 'mapping.rename[0].to'],
    [{ notices: ['everything'] }, 'notices[0]'],
  ])('refuses %j and says where', async (routing, path) => {
    const config = { url: receiver.url };
    const answer = await api.post('/destinations', { name: 'wrong', type: 'webhook', config, ...routing });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('clears notices that are an empty list, and says what has to go with them', async () => {
    const destination = `/destinations/${await aDestination('told', { notices: ['delete'] })}`;
    expect(await api.put(destination, { notices: null })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'notices' }] },
    });
    expect((await api.put(destination, { notices: [] })).body.notices).toEqual([]);

    const trait = { name: 'orders', event: 'Order Completed', aggregate: 'count', within: '90d' };
    expect(await api.post('/computed-traits', trait)).toMatchObject({ status: 201 });
    const told = { notices: ['trait_changed'], noticeTraits: ['orders'] };
    expect(await api.put(destination, told)).toMatchObject({ status: 200 });
    expect((await api.put(destination, { notices: [] })).body.errors).toMatchObject([
      { path: 'noticeTraits', code: 'not_applicable', message: expect.stringContaining('make this null') },
    ]);
    expect((await api.put(destination, { notices: [], noticeTraits: null })).body).toMatchObject({
      notices: [],
      noticeTraits: null,
    });
  });

  it('says that notices are an array', async () => {
    const given = { name: 'wrong', type: 'webhook', config: { url: receiver.url }, notices: 'delete' };
    expect((await api.post('/destinations', given)).body.errors).toEqual([
      { path: 'notices', code: 'is_array', message: 'notices must be an array' },
    ]);
  });
});
