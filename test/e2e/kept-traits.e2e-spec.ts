import type { JsonValue } from '../../src/events/customer-event';
import { keepUpkeepOut } from '../../src/events/erasure-gate';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { SegmentsUnderTest } from '../support/segments-under-test';
import { startTestService, type TestService } from '../support/test-service';

const PAID = {
  event: 'Order Completed',
  aggregate: 'sum',
  of: 'properties.total',
  within: '90d',
};
const DAY_MS = 86_400_000;

interface Told {
  readonly event: string;
  readonly userId?: string;
  readonly messageId: string;
  readonly properties: Record<string, JsonValue>;
}

describe('computed traits that destinations need', () => {
  let service: TestService;
  let segments: SegmentsUnderTest;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await startTestService();
    segments = await SegmentsUnderTest.of(service);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });
  afterEach(async () => {
    const { body: destinations } = await segments.api.get<{ id: string }[]>('/destinations');
    for (const { id } of destinations) await segments.api.delete(`/destinations/${id}`);
    await settled();
    const { body: traits } = await segments.api.get<{ id: string }[]>('/computed-traits');
    for (const { id } of traits) await segments.api.delete(`/computed-traits/${id}`);
  });

  /** One that no other test has. */
  async function createTrait(trait: object = {}): Promise<{ id: string; name: string }> {
    const given = { ...PAID, name: `kept_${segments.next()}`, ...trait };
    const { status, body } = await segments.api.post('/computed-traits', given);
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }

  /** Its path at the receiver. */
  async function aDestination(routing: object): Promise<string> {
    const path = `/at-${segments.next()}`;
    const destination = { name: path, type: 'webhook', config: { url: `${receiver.url}${path}` } };
    const { status, body } = await segments.api.post('/destinations', { ...destination, ...routing });
    expect({ status, body }).toMatchObject({ status: 201 });
    return path;
  }

  /** A destination that gets nothing but changes of computed traits, all of which are computed for everybody by now. */
  async function aListener(): Promise<string> {
    const path = await aDestination({ notices: ['trait_changed'], filter: { types: [] } });
    await settled();
    return path;
  }

  /** What is needed is kept, and nothing else. */
  async function settled(): Promise<void> {
    await eventually(async () => {
      expect(
        await segments.database.query(
          `select k.state from kept_trait k full join computed_trait c on c.id = k.trait_id
             and c.definition = k.definition
           where k.state is distinct from case when exists (
             select from trait_use u where u.trait_id = c.id or u.trait_id is null) then 'live' end`,
        ),
      ).toEqual([]);
    });
  }

  function receivedAt(path: string): Told[] {
    return receiver.received
      .filter((delivery) => delivery.path === path)
      .map(({ body }) => JSON.parse(body) as Told);
  }

  /** The changes of one computed trait that a destination was told of, as soon as they are these, and stay so. */
  async function expectTold(path: string, trait: string, changes: readonly object[]): Promise<void> {
    const told = (): object[] =>
      receivedAt(path)
        .filter(({ properties }) => properties.trait === trait)
        .map(({ userId, properties: { previous, value } }) => ({ userId, previous, value }));
    await eventually(() => expect(told()).toEqual(changes));
    await eventually(async () =>
      expect(
        await segments.database.query(`select state from delivery where state in ('pending', 'sending')`),
      ).toEqual([]),
    );
    expect(told()).toEqual(changes);
  }

  const order = (userId: string, total: JsonValue, more: object = {}): object => ({
    userId,
    event: 'Order Completed',
    properties: { total },
    ...more,
  });
  const valuesOf = (subject: string): Promise<unknown[]> =>
    segments.database.query('select value from computed_value where subject = $1', [subject]);

  it('say how far they are while they are computed', async () => {
    const { id, name } = await createTrait();
    const shown = async (): Promise<object> => {
      const { body } = await segments.api.get(`/computed-traits/${id}`);
      const { body: all } = await segments.api.get<object[]>('/computed-traits');
      expect(all).toEqual([body]);
      return body;
    };
    expect(await shown()).toMatchObject({ values: 'counted', progress: 1 });
    await segments.send(['1', '2', '3', '4'].map((person) => order(`far-${person}`, 1)));
    await aDestination({
      filter: { conditions: [{ field: `computed.${name}`, operator: 'gte', value: 1 }] },
    });
    await settled();
    expect(await shown()).toMatchObject({ values: 'kept', progress: 1 });
    const asFarAs = (cursor: string): Promise<unknown[]> =>
      segments.database.query(
        `update kept_trait set state = 'computing', cursor = $1, run_after = 'infinity'`,
        [cursor],
      );
    await asFarAs('');
    expect(await shown()).toMatchObject({ values: 'computing', progress: 0 });
    const [{ share } = { share: 0 }] = await segments.database.query<{ share: number }>(
      `select (count(*) filter (where subject <= 'u:far-3'))::float8 / count(*) as share
       from profile where merged_into is null`,
    );
    await asFarAs('u:far-3');
    expect(await shown()).toMatchObject({ values: 'computing', progress: share });
    expect([share > 0, share < 1]).toEqual([true, true]);
    await segments.database.query('update kept_trait set run_after = now()');
    await settled();
    expect(await shown()).toMatchObject({ values: 'kept', progress: 1 });
  });

  it('decide in filters, with the value after the event, from the first event on', async () => {
    const { name } = await createTrait();
    await segments.send([order('early', 60)]);
    const path = await aDestination({
      filter: { conditions: [{ field: `computed.${name}`, operator: 'gte', value: 50 }] },
    });
    // Kept or not: what is not computed yet is counted.
    await segments.send([order('early', 1, { messageId: 'early-2' }), order('late', 30)]);
    await settled();
    await segments.send([
      order('late', 20, { messageId: 'late-2' }),
      { userId: 'late', event: 'Other', messageId: 'late-3' },
      { userId: 'nobody', event: 'Other' },
    ]);
    await segments.send([order('late', -1), { userId: 'late', event: 'Other' }]);
    const expected = ['early-2', 'late-2', 'late-3'];
    await eventually(() =>
      expect(
        receivedAt(path)
          .map(({ messageId }) => messageId)
          .sort(),
      ).toEqual(expected),
    );
    expect(await valuesOf('u:late')).toEqual([{ value: 49 }]);
    expect(await valuesOf('u:nobody')).toEqual([]);
  });

  it('decide in filters about who has no value', async () => {
    const last = await createTrait({ aggregate: 'last', of: 'properties.currency' });
    const count = await createTrait({ aggregate: 'count', of: undefined });
    const path = await aDestination({
      filter: {
        events: ['Asked'],
        match: 'any',
        conditions: [
          { field: `computed.${last.name}`, operator: 'not_exists' },
          { field: `computed.${count.name}`, operator: 'gt', value: 1 },
        ],
      },
    });
    await settled();
    await segments.send([
      order('has', 1, { properties: { currency: 'EUR' } }),
      { userId: 'has', event: 'Asked', messageId: 'has-one' },
      { userId: 'has-none', event: 'Asked', messageId: 'has-none' },
    ]);
    await eventually(() => expect(receivedAt(path)).toMatchObject([{ messageId: 'has-none' }]));
  });

  it('are in the preview of a filter, and in what says why an event was not routed', async () => {
    const { name } = await createTrait();
    const conditions = [{ field: `computed.${name}`, operator: 'gte', value: 50 }];
    await aDestination({ filter: { conditions } });
    await segments.send([order('traced', 20, { messageId: 'traced-1' }), order('previewed', 50)]);
    const { body: destinations } = await segments.api.get<{ id: string }[]>('/destinations');
    const id = destinations[0]?.id;
    for (const filter of [undefined, { conditions: [{ ...conditions[0], field: `computed.${name}` }] }]) {
      const { body } = await segments.api.post(`/destinations/${id}/filter/preview`, { last: 2, filter });
      expect(body).toMatchObject({
        passed: 1,
        events: expect.arrayContaining([
          expect.objectContaining({ userId: 'traced', passes: false }),
          expect.objectContaining({ userId: 'previewed', passes: true }),
        ]),
      });
    }
    const { body: trace } = await segments.api.get('/events/trace?messageId=traced-1');
    expect(JSON.stringify(trace)).toContain(
      JSON.stringify([{ field: `computed.${name}`, operator: 'gte', value: 50, seen: 20 }]),
    );
  });

  it('are told when they change, once, and not of what was there before', async () => {
    const { name } = await createTrait();
    const last = await createTrait({ aggregate: 'last', of: 'properties.currency' });
    await segments.send([order('told', 10), order('quiet', 1)]);
    const path = await aListener();
    await segments.send([order('told', 5, { messageId: 'told-5' })]);
    await segments.send([order('told', 5, { messageId: 'told-5' }), order('told', 0)]);
    await segments.send([
      order('told', 7, { timestamp: new Date(Date.now() - 40 * DAY_MS).toISOString() }),
      order('told', 1000, { timestamp: new Date(Date.now() - 95 * DAY_MS).toISOString() }),
      { userId: 'told', event: 'Other' },
    ]);
    await expectTold(path, name, [
      { userId: 'told', previous: 10, value: 15 },
      { userId: 'told', previous: 15, value: 22 },
    ]);
    await segments.send([
      order('told', 0, { properties: { currency: 'EUR' } }),
      order('told', 0, { properties: { currency: 7 } }),
      order('told', 0, { properties: { currency: true } }),
    ]);
    await expectTold(path, last.name, [{ userId: 'told', previous: null, value: true }]);
    expect(receivedAt(path)[0]).toMatchObject({
      type: 'track',
      event: 'Trait Changed',
      userId: 'told',
      timestamp: expect.any(String),
      properties: { trait: name, value: 15, previous: 10 },
    });
  });

  describe('are told of those alone that a destination names', () => {
    const destinationAt = async (path: string): Promise<string> => {
      const { body } = await segments.api.get<{ id: string; name: string }[]>('/destinations');
      return `/destinations/${body.find(({ name }) => name === path)?.id}`;
    };

    it('which keeps no others', async () => {
      const { id, name } = await createTrait();
      const other = await createTrait({ aggregate: 'max' });
      const notices = { notices: ['trait_changed'], filter: { types: [] } };
      const path = await aDestination({ ...notices, noticeTraits: [name] });
      await settled();
      expect((await segments.api.get(`/computed-traits/${id}`)).body).toMatchObject({ values: 'kept' });
      expect((await segments.api.get(`/computed-traits/${other.id}`)).body).toMatchObject({
        values: 'counted',
      });
      // It is kept by now, and told to those alone who ask for it.
      const everything = await aListener();
      await segments.send([order('narrow', 5)]);
      await expectTold(everything, other.name, [{ userId: 'narrow', previous: null, value: 5 }]);
      await expectTold(path, name, [{ userId: 'narrow', previous: 0, value: 5 }]);
      expect(receivedAt(path)).toHaveLength(1);
      const destination = await destinationAt(path);
      expect((await segments.api.put(destination, { noticeTraits: null })).body).toMatchObject({
        noticeTraits: null,
      });
      await segments.send([order('narrow', 9)]);
      await expectTold(path, other.name, [{ userId: 'narrow', previous: 5, value: 9 }]);
    });

    it('which do not change meanwhile', async () => {
      const { id, name } = await createTrait();
      const path = await aDestination({ notices: ['trait_changed'], noticeTraits: [name] });
      for (const refused of [
        await segments.api.delete(`/computed-traits/${id}`),
        await segments.api.put(`/computed-traits/${id}`, { name: 'another' }),
      ]) {
        expect(refused).toMatchObject({ status: 409, body: { code: 'computed_trait_in_use' } });
        expect(refused.body.detail).toContain(`notices of destinations (${path})`);
      }
      const destination = await destinationAt(path);
      expect(await segments.api.put(destination, { notices: [], noticeTraits: null })).toMatchObject({
        status: 200,
      });
      expect((await segments.api.delete(`/computed-traits/${id}`)).status).toBe(204);
    });

    it.each<[object, object]>([
      [{ noticeTraits: ['paid', 'nobody'] }, { path: 'noticeTraits[1]', code: 'unknown_computed_trait' }],
      [{ notices: ['delete'] }, { path: 'noticeTraits', code: 'not_applicable' }],
      [{ noticeTraits: [] }, { path: 'noticeTraits' }],
      [{ noticeTraits: ['paid', 'paid'] }, { path: 'noticeTraits' }],
      [{ noticeTraits: [7] }, { path: 'noticeTraits[0]' }],
    ])('as far as they are there: not %j', async (members, error) => {
      await segments.api.post('/computed-traits', { ...PAID, name: 'paid' });
      const url = `${receiver.url}/refused`;
      const given = { name: 'Refused', type: 'webhook', config: { url }, notices: ['trait_changed'] };
      const refused = await segments.api.post('/destinations', {
        ...given,
        noticeTraits: ['paid'],
        ...members,
      });
      expect(refused).toMatchObject({ status: 400, body: { errors: [error] } });
      const path = await aDestination({ notices: ['trait_changed'], noticeTraits: ['paid'] });
      const changed = await segments.api.put(await destinationAt(path), members);
      expect(changed).toMatchObject({ status: 400, body: { errors: [error] } });
    });
  });

  it('are told when a window passes, without an event', async () => {
    const { name } = await createTrait();
    const path = await aListener();
    await segments.send([
      order('window', 5, { timestamp: new Date(Date.now() - 10 * DAY_MS).toISOString() }),
      order('window', 2),
    ]);
    await expectTold(path, name, [{ userId: 'window', previous: 0, value: 7 }]);
    // As if 85 days had passed for this person, and then the rest.
    for (const [days, change] of [
      [85, { previous: 7, value: 2 }],
      [10, { previous: 2, value: 0 }],
    ] as const) {
      await segments.database.query(
        `update event set "timestamp" = "timestamp" - $1 * interval '1 day' where subject = 'u:window'`,
        [days],
      );
      await segments.database.query(
        `update computed_value set due_at = due_at - $1 * interval '1 day' where subject = 'u:window'`,
        [days],
      );
      await eventually(() => expect(receivedAt(path).at(-1)?.properties).toEqual({ trait: name, ...change }));
    }
    expect(await valuesOf('u:window')).toEqual([]);
    expect(receivedAt(path)).toHaveLength(3);
  });

  it('are those of all ids of a person who is merged', async () => {
    const { name } = await createTrait();
    const path = await aListener();
    const visitor = { userId: undefined, anonymousId: 'merged-visitor' };
    await segments.send([order('', 3, visitor), order('merged', 4)]);
    await segments.send([{ type: 'identify', userId: 'merged', anonymousId: 'merged-visitor' }]);
    await expectTold(path, name, [
      { userId: undefined, previous: 0, value: 3 },
      { userId: 'merged', previous: 0, value: 4 },
      { userId: 'merged', previous: 4, value: 7 },
    ]);
    expect(await valuesOf('a:merged-visitor')).toEqual([]);
    await segments.send([order('', 1, visitor)]);
    await eventually(() =>
      expect(receivedAt(path).at(-1)).toMatchObject({ properties: { previous: 7, value: 8 } }),
    );
  });

  it('are forgotten with the person', async () => {
    const { name } = await createTrait();
    const path = await aListener();
    await segments.send([order('erased', 5)]);
    await expectTold(path, name, [{ userId: 'erased', previous: 0, value: 5 }]);
    expect(await segments.api.delete('/profiles/erased')).toMatchObject({
      status: 200,
      body: { deleted: { computedValues: 1 } },
    });
    expect(await valuesOf('u:erased')).toEqual([]);
    await segments.send([order('erased', 6)]);
    await eventually(() =>
      expect(receivedAt(path).at(-1)?.properties).toEqual({ trait: name, previous: 0, value: 6 }),
    );
  });

  it('are computed anew, and not told, when what is counted changes', async () => {
    const { id, name } = await createTrait();
    const path = await aListener();
    await segments.send([order('anew', 5)]);
    await expectTold(path, name, [{ userId: 'anew', previous: 0, value: 5 }]);
    const changed = await segments.api.put(`/computed-traits/${id}`, { ...PAID, aggregate: 'max' });
    expect(changed).toMatchObject({ status: 200 });
    await settled();
    await segments.send([order('anew', 9), order('anew', 3)]);
    await expectTold(path, name, [
      { userId: 'anew', previous: 0, value: 5 },
      { userId: 'anew', previous: 5, value: 9 },
    ]);
  });

  it('are computed anew when what is counted is changed and changed back at once', async () => {
    const { id, name } = await createTrait();
    const path = await aListener();
    await segments.send([order('back', 5)]);
    await expectTold(path, name, [{ userId: 'back', previous: 0, value: 5 }]);
    await segments.database.transaction(async (tx) => {
      // What is kept is settled only afterwards.
      await keepUpkeepOut(tx);
      const change = async (definition: object): Promise<void> =>
        expect(await segments.api.put(`/computed-traits/${id}`, definition)).toMatchObject({ status: 200 });
      await change({ ...PAID, aggregate: 'max' });
      await segments.send([order('back', 7)]);
      await change(PAID);
    });
    await settled();
    expect(await valuesOf('u:back')).toEqual([{ value: 12 }]);
  });

  it('are kept as long as somebody needs them, and do not change meanwhile', async () => {
    const { id, name } = await createTrait();
    const filter = { conditions: [{ field: `computed.${name}`, operator: 'gte', value: 0 }] };
    await aDestination({ filter });
    expect((await segments.api.get(`/computed-traits/${id}`)).body.values).toMatch(/^(computing|kept)$/);
    await segments.send([order('needed', 5)]);
    await settled();
    expect(await valuesOf('u:needed')).toEqual([{ value: 5 }]);
    expect((await segments.api.get('/profiles/needed/export')).body).toContain(
      `{"kind":"computed_trait","name": "${name}", "value": 5}`,
    );
    expect((await segments.api.get(`/computed-traits/${id}`)).body).toMatchObject({ values: 'kept' });
    const unused = await createTrait();
    const { body: all } = await segments.api.get<{ id: string }[]>('/computed-traits');
    expect(all).toMatchObject([
      { id, values: 'kept' },
      { id: unused.id, values: 'counted' },
    ]);
    const detail = expect.stringMatching(/^computed\..* filters or notices of destinations \(\/at-\d+\)/);
    const inUse = { status: 409, body: { code: 'computed_trait_in_use', detail } };
    expect(await segments.api.put(`/computed-traits/${id}`, { ...PAID, within: '30d' })).toMatchObject(inUse);
    expect(await segments.api.put(`/computed-traits/${id}`, { name: 'other' })).toMatchObject(inUse);
    expect(await segments.api.delete(`/computed-traits/${id}`)).toMatchObject(inUse);
    expect(await segments.api.put(`/computed-traits/${id}`, { description: 'Paid' })).toMatchObject({
      status: 200,
    });
    const { body: destinations } = await segments.api.get<{ id: string }[]>('/destinations');
    await segments.api.put(`/destinations/${destinations[0]?.id}`, { filter: null });
    await eventually(async () => {
      expect(await segments.database.query('select from kept_trait')).toEqual([]);
      expect(await segments.database.query('select from computed_value')).toEqual([]);
    });
    expect(await segments.api.delete(`/computed-traits/${id}`)).toMatchObject({ status: 204 });
  });

  it('are known by name', async () => {
    const { name } = await createTrait();
    for (const [field, code] of [
      ['computed.nobody', 'unknown_computed_trait'],
      ['computed', 'invalid_field'],
      [`computed.${name}.x`, 'invalid_field'],
    ]) {
      const filter = { conditions: [{ field, operator: 'exists' }] };
      const config = { url: receiver.url };
      expect(
        await segments.api.post('/destinations', { name: 'No', type: 'webhook', config, filter }),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'filter.conditions[0].field', code }] },
      });
    }
  });

  it('are asked by filters what rules may ask them, also by those that are only tried', async () => {
    const { name: paid } = await createTrait();
    const { name: last } = await createTrait({ aggregate: 'last', of: 'properties.currency' });
    await aDestination({});
    const { body: destinations } = await segments.api.get<{ id: string }[]>('/destinations');
    const id = destinations[0]?.id;
    const wrong: [object, string, string][] = [
      [{ field: 'computed.nobody', operator: 'exists' }, 'field', 'unknown_computed_trait'],
      [{ field: `computed.${paid}`, operator: 'gte', value: '300' }, 'value', 'invalid_value'],
      [{ field: `computed.${paid}`, operator: 'in', value: ['300'] }, 'value', 'invalid_value'],
      [
        { field: `computed.${paid}`, operator: 'contains', value: 'x' },
        'operator',
        'operator_not_applicable',
      ],
    ];
    for (const [condition, member, code] of wrong) {
      const filter = { conditions: [{ field: 'type', operator: 'exists' }, condition] };
      const config = { url: receiver.url };
      for (const answer of [
        await segments.api.post('/destinations', { name: 'No', type: 'webhook', config, filter }),
        await segments.api.put(`/destinations/${id}`, { filter }),
        await segments.api.post(`/destinations/${id}/filter/preview`, { filter }),
        await segments.api.post('/transformations/test', { code: 'export default (event) => event', filter }),
      ]) {
        expect({ condition, ...answer }).toMatchObject({
          status: 400,
          body: { errors: [{ path: `filter.conditions[1].${member}`, code }] },
        });
      }
    }
    const conditions = [
      { field: `computed.${paid}`, operator: 'in', value: [1, 2.5] },
      { field: `computed.${last}`, operator: 'contains', value: 'E' },
    ];
    expect(await segments.api.put(`/destinations/${id}`, { filter: { conditions } })).toMatchObject({
      status: 200,
    });
  });

  it('are named by what says that they are not there', async () => {
    const filter = { conditions: [{ field: 'computed.nobody', operator: 'exists' }] };
    const config = { url: receiver.url };
    const rules = [{ field: 'computed.nobody', operator: 'exists' }];
    for (const { body } of [
      await segments.api.post('/destinations', { name: 'No', type: 'webhook', config, filter }),
      await segments.api.post('/segments/preview', { rules }),
    ]) {
      expect(body.errors).toMatchObject([{ message: expect.stringContaining('"nobody"') }]);
    }
  });

  it('are never deleted while a filter begins to ask about them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, name } = await createTrait();
      const [destination, deleted] = await Promise.all([
        segments.api.post('/destinations', {
          name: `Race ${segments.next()}`,
          type: 'webhook',
          config: { url: receiver.url },
          filter: { conditions: [{ field: `computed.${name}`, operator: 'gte', value: 0 }] },
        }),
        segments.api.delete(`/computed-traits/${id}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([destination.status, deleted.status]);
    }
  });
});
