import { uuidv7 } from 'uuidv7';
import { Database } from '../../src/platform/database/database';
import { recordFailure } from '../../src/segments/computing/record-failure';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { lookOften, Office, untilLookedTwice } from '../support/office';
import { isSignedWith, Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '100',
  CDP_DELIVERY_MAX_ATTEMPTS: '2',
};

/** Each is told once by two processes. */
describe('what operators are told of', () => {
  let database: TestDatabase;
  let services: TestService[];
  let service: TestService;
  let api: ApiClient;
  let office: Office;

  beforeAll(async () => {
    database = await createTestDatabase();
    const start = (): Promise<TestService> => startTestService({ env: FAST, databaseUrl: database.url });
    services = [await start(), await start()];
    [service] = services as [TestService, TestService];
    await lookOften(service);
    api = await anApiClient(service);
  });
  afterAll(async () => {
    for (const one of services) await one.close();
    await database.drop();
  });
  beforeEach(async () => {
    office = await Office.open();
  });
  afterEach(async () => {
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
    await office.close();
  });

  it('dead letters, once an hour for each destination, and of no notice that was given up', async () => {
    const { config } = await office.ask(api, ['dead_letters']);
    const deaf = await Office.open();
    deaf.receiver.answer(400);
    const { id: deafId } = await deaf.ask(api, ['dead_letters']);
    const shop = await Receiver.start();
    shop.answer(400);
    const { body: destination } = await api.post('/destinations', {
      name: 'Shop',
      type: 'webhook',
      config: { url: shop.url },
    });
    await giveUp(destination.id, 3);
    const [first] = await office.untilTold('dead_letters');
    expect(first).toMatchObject({
      type: 'notice',
      text: expect.stringContaining('to "Shop" dead since'),
      properties: {
        destinationId: destination.id,
        destinationName: 'Shop',
        since: expect.stringMatching(/Z$/),
        count: expect.any(Number),
        lastError: 'http_4xx',
        sample: { eventType: 'track', eventName: 'Order Completed', reason: 'http_4xx', status: 400 },
      },
    });
    expect(isSignedWith(config.secret, office.receiver.received[0]!)).toBe(true);
    await eventually(async () => expect(await statesOf(deafId)).toEqual(['dead']));
    await giveUp(destination.id, 5);
    await untilLookedTwice(service, 'dead_letters');
    expect(office.told).toHaveLength(1);
    await service.app.get(Database).query(`update told_state set at = at - interval '1 hour'`);
    const [, second] = await office.untilTold('dead_letters', 'dead_letters');
    expect(Number(first?.properties.count) + Number(second?.properties.count)).toBe(5);
    // One that is replayed before anybody is told of it is none to look at any more.
    await giveUp(destination.id, 6);
    await untilLookedTwice(service, 'dead_letters');
    shop.answer(200);
    const [newest] = (await ledgerOf(service, destination.id)).toReversed();
    await api.post(`/dead-letters/${newest!.id}/replay`);
    await eventually(async () => expect(await statesOf(destination.id)).toContain('delivered'));
    await service.app.get(Database).query(`update told_state set at = at - interval '1 hour'`);
    const [, , third] = await office.untilTold('dead_letters', 'dead_letters', 'dead_letters');
    expect(third?.properties).toMatchObject({ count: 1, lastError: null, sample: null });
    await Promise.all([shop.stop(), deaf.close()]);
  });

  it('dead letters that were counted, only as long as somebody asks', async () => {
    const { id: officeId } = await office.ask(api, ['dead_letters']);
    const shop = await Receiver.start();
    shop.answer(400);
    const config = { url: shop.url };
    const { body } = await api.post('/destinations', { name: 'Closed shop', type: 'webhook', config });
    await giveUp(body.id, 1);
    await office.untilTold('dead_letters');
    await giveUp(body.id, 2);
    const countSql = 'select count from newly_dead where destination_id = $1';
    const counted = (): Promise<object[]> => service.app.get(Database).query(countSql, [body.id]);
    await eventually(async () => expect(await counted()).toEqual([{ count: 1 }]));
    await api.delete(`/destinations/${officeId}`);
    await eventually(async () => expect(await counted()).toEqual([]));
    await shop.stop();
  });

  it('a segment that could not be computed, for each definition of it', async () => {
    await office.ask(api, ['segment_failed']);
    const rules = [{ field: 'plan', operator: 'eq', value: 'pro' }];
    const { body: segment } = await api.post('/segments', { name: `Pro ${uuidv7()}`, rules });
    await failComputing(segment.id);
    const [failed] = await office.untilTold('segment_failed');
    expect(failed?.properties).toEqual({ segmentId: segment.id, segmentName: segment.name, isLive: true });
    expect(failed?.text).not.toContain('no space left');
    await untilLookedTwice(service, 'segments');
    await api.put(`/segments/${segment.id}`, { rules: [{ field: 'plan', operator: 'eq', value: 'free' }] });
    await failComputing(segment.id);
    await office.untilTold('segment_failed', 'segment_failed');
  });

  it('a source that has sent nothing for the time that it says, again once it has sent', async () => {
    await office.ask(api, ['source_silent']);
    const { body: source } = await api.post('/sources', { name: `Shop ${uuidv7()}`, silentAfterMinutes: 60 });
    const { body: other } = await api.post('/sources', { name: `Other ${uuidv7()}` });
    expect([source.silentAfterMinutes, other.silentAfterMinutes]).toEqual([60, null]);
    expect(await sendTracks({ url: service.url, writeKey: source.writeKey }, ['m-1'])).toBe(200);
    const lastEventAt = await eventually(() => heardAt(source.id));
    await untilLookedTwice(service, 'sources');
    expect(office.told).toEqual([]);
    await letTimePass(source.id, other.id);
    const [silent] = await office.untilTold('source_silent');
    expect(silent).toMatchObject({
      text: `Source "${source.name}" has sent nothing for 60 minutes.`,
      properties: { sourceId: source.id, sourceName: source.name, silentAfterMinutes: 60 },
    });
    expect(Date.parse(String(silent?.properties.lastEventAt))).toBe(lastEventAt.getTime() - 2 * 3600_000);
    // The other process does not wait for the time after which this one writes it again.
    expect(await sendTracks({ url: services[1]!.url, writeKey: source.writeKey }, ['m-2'])).toBe(200);
    await eventually(async () => {
      expect((await heardAt(source.id)).getTime()).toBeGreaterThan(lastEventAt.getTime());
    });
    await untilLookedTwice(service, 'sources');
    await letTimePass(source.id);
    await office.untilTold('source_silent', 'source_silent');
    const cleared = await api.put(`/sources/${source.id}`, { silentAfterMinutes: null });
    expect(cleared.body.silentAfterMinutes).toBeNull();
  });

  it('events that differ from their tracking plan, once, and again after an hour without', async () => {
    await office.ask(api, ['plan_violations']);
    const plan = await aPlanWithTotals();
    const { body: source } = await api.post('/sources', {
      name: `Shop ${uuidv7()}`,
      trackingPlanId: plan.id,
    });
    const send = (...ids: string[]): Promise<number> =>
      sendTracks({ url: service.url, writeKey: source.writeKey }, ids);
    expect(await send('p-1')).toBe(200);
    const [first] = await office.untilTold('plan_violations');
    expect(first).toMatchObject({
      type: 'notice',
      text: expect.stringContaining(
        `Events of source "${source.name}" differ from tracking plan "${plan.name}"`,
      ),
      properties: {
        trackingPlanId: plan.id,
        trackingPlanName: plan.name,
        sourceId: source.id,
        sourceName: source.name,
        kinds: [{ rule: 'track Order Completed', path: 'properties', code: 'schema_violation', count: 1 }],
      },
    });
    expect(await send('p-2', 'p-3')).toBe(200);
    await untilLookedTwice(service, 'tracking_plans');
    expect(office.told).toHaveLength(1);
    await service.app
      .get(Database)
      .query(`update plan_violation_minute set minute = minute - interval '2 hours'`);
    await untilLookedTwice(service, 'tracking_plans');
    expect(await send('p-4')).toBe(200);
    await office.untilTold('plan_violations', 'plan_violations');
  });

  it('events that differ from the plan that a source has now, once for each plan', async () => {
    const { id: destinationId } = await office.ask(api, ['plan_violations']);
    const plans = [await aPlanWithTotals(), await aPlanWithTotals()];
    const { body: source } = await api.post('/sources', { name: `Shop ${uuidv7()}` });
    const told: string[] = [];
    for (const plan of plans) {
      await api.put(`/sources/${source.id}`, { trackingPlanId: plan.id });
      expect(await sendTracks({ url: service.url, writeKey: source.writeKey }, [plan.id])).toBe(200);
      await office.untilTold(...told, 'plan_violations');
      told.push('plan_violations');
    }
    await untilLookedTwice(service, 'tracking_plans');
    expect(await ledgerOf(service, destinationId)).toHaveLength(plans.length);
    expect(office.told.map(({ properties }) => properties.trackingPlanId)).toEqual(plans.map(({ id }) => id));
  });

  it('who changed which members of what, and no value of them', async () => {
    await office.ask(api, ['configuration_changed']);
    const { body: source } = await api.post('/sources', { name: `Shop ${uuidv7()}` });
    await api.put(`/sources/${source.id}`, { description: 'kept to ourselves', silentAfterMinutes: 5 });
    await api.post(`/sources/${source.id}/rotate-write-key`, { overlapSeconds: 0 });
    const { body: destination } = await api.post('/destinations', {
      name: 'Shop',
      type: 'webhook',
      config: { url: office.receiver.url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      filter: { types: [] },
    });
    await api.put(`/destinations/${destination.id}`, { config: { url: `${office.receiver.url}/new` } });
    await api.post(`/destinations/${destination.id}/pause`);
    await api.post(`/destinations/${destination.id}/test`);
    await api.delete(`/destinations/${destination.id}`);
    const told = await eventually(() => {
      const { told: changes } = office;
      expect(changes.filter(({ properties }) => properties.resourceId === destination.id)).toHaveLength(4);
      expect(changes.filter(({ properties }) => properties.resourceId === source.id)).toHaveLength(3);
      return changes;
    });
    expect(told.map(({ properties }) => properties.name)).not.toContain(null);
    const changesOf = (id: string): unknown[] =>
      told
        .filter(({ properties }) => properties.resourceId === id)
        .map(({ properties: { action, fields } }) => [action, fields]);
    expect(new Set(changesOf(source.id))).toEqual(
      new Set([
        ['create', []],
        ['update', ['description', 'silentAfterMinutes']],
        ['rotate_write_key', ['writeKey']],
      ]),
    );
    expect(new Set(changesOf(destination.id))).toEqual(
      new Set([
        ['create', []],
        ['update', ['config.url']],
        ['pause', ['enabled']],
        ['delete', []],
      ]),
    );
    const text = JSON.stringify(office.told);
    expect(text).not.toMatch(/kept to ourselves|MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw|\/new/);
    const { actor } = told.find(({ properties }) => properties.resourceId === source.id)?.properties ?? {};
    expect(text).toContain(`${String(actor)}: create source`);
    const { body: audit } = await api.get(`/audit?resourceId=${source.id}`);
    const auditIds = told
      .filter(({ properties }) => properties.resourceId === source.id)
      .map(({ properties }) => properties.auditId);
    expect(new Set(auditIds)).toEqual(new Set(audit.map(({ id }: { id: string }) => id)));
  });

  /** That asks each order for its total. */
  async function aPlanWithTotals(): Promise<{ id: string; name: string }> {
    const schema = { properties: { properties: { required: ['total'] } }, required: ['properties'] };
    const rules = [{ type: 'track', event: 'Order Completed', schema }];
    return (await api.post('/tracking-plans', { name: `Plan ${uuidv7()}`, rules })).body;
  }

  /** Has so many deliveries of a destination given up, in all. */
  async function giveUp(destinationId: string, total: number): Promise<void> {
    const before = (await statesOf(destinationId)).length;
    const events = Array.from({ length: total - before }, () => anEvent({ event: 'Order Completed' }));
    await deliver(service, events);
    await eventually(async () => {
      expect(await statesOf(destinationId)).toEqual(Array.from({ length: total }, () => 'dead'));
    });
  }

  async function statesOf(destinationId: string): Promise<string[]> {
    return (await ledgerOf(service, destinationId)).map(({ state }) => state);
  }

  /** What segment upkeep does when the last try of a computation fails. */
  async function failComputing(segmentId: string): Promise<void> {
    await eventually(async () => {
      expect((await api.get(`/segments/${segmentId}`)).body.state).toBe('live');
    });
    const tables = service.app.get(Database);
    const [row] = await tables.query<{ generation: number }>('select generation from segment where id = $1', [
      segmentId,
    ]);
    const task = {
      id: uuidv7(),
      kind: 'compute',
      segmentId,
      generation: row!.generation,
      oldGeneration: null,
      failures: 4,
    } as unknown as Parameters<typeof recordFailure>[0];
    await tables.transaction((tx) => recordFailure(task, new Error('no space left'), tx));
  }

  async function heardAt(sourceId: string): Promise<Date> {
    const { body } = await api.get(`/sources/${sourceId}`);
    expect(body.lastEventAt).not.toBeNull();
    expect((await api.get('/sources?limit=1000')).body).toContainEqual(body);
    return new Date(body.lastEventAt);
  }

  /** Two hours in which the sources sent nothing and nobody changed them. */
  async function letTimePass(...sourceIds: string[]): Promise<void> {
    const tables = service.app.get(Database);
    for (const [table, column, id] of [
      ['source', 'updated_at', 'id'],
      ['source_heard', 'heard_at', 'source_id'],
    ]) {
      await tables.query(
        `update ${table} set ${column} = ${column} - interval '2 hours' where ${id} = any($1)`,
        [sourceIds],
      );
    }
  }
});
