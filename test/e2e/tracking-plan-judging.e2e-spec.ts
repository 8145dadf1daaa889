import { EventStore } from '../../src/events/event-store';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { InboxSweeper } from '../../src/ingestion/inbox/inbox-sweeper';
import { Database } from '../../src/platform/database/database';
import { QuarantineRetention } from '../../src/tracking-plans/quarantine/quarantine-retention';
import { anyEvent, asStorable } from '../support/any-event';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

const SCHEMA = {
  properties: {
    properties: {
      required: ['total'],
      properties: { total: { type: 'number' }, card: { type: 'string', maxLength: 4 } },
    },
  },
};

const waitingSql = `
  select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

interface Source {
  readonly id: string;
  readonly writeKey: string;
  readonly planId: string;
}

describe('events of a source with a tracking plan', () => {
  let service: TestService;
  let api: ApiClient;
  let made = 0;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  /** A source whose plan has a rule for "Order Completed". */
  const aSource = async (onViolation: string, plan: object = {}): Promise<Source> => {
    const rules = [{ type: 'track', event: 'Order Completed', schema: SCHEMA, onViolation }];
    made += 1;
    const { id: trackingPlanId } = (await api.post('/tracking-plans', { name: `P ${made}`, rules, ...plan }))
      .body;
    const source = (await api.post('/sources', { name: `S ${made}`, trackingPlanId })).body;
    return { ...source, planId: trackingPlanId };
  };
  const order = (messageId: string, properties: object, event = 'Order Completed'): object => {
    const timestamp = '2026-11-20T12:00:00.000Z';
    return { type: 'track', event, userId: `u-${messageId}`, messageId, timestamp, properties };
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
  const send = (source: Source, batch: unknown, query = ''): Promise<ApiAnswer<any>> => {
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const body = typeof batch === 'string' ? batch : { batch };
    return api.with({ authorization }).post(`/v1/batch${query}`, body);
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  const stored = async (source: Source, messageId: string): Promise<any> => {
    const { body } = await api.get(`/events?sourceId=${source.id}&messageId=${messageId}`);
    expect(body).toHaveLength(1);
    return body[0].payload;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  const quarantined = (source: Source, query = ''): Promise<any[]> =>
    api.get(`/quarantined-events?sourceId=${source.id}${query}`).then(({ body }) => body);

  it('are accepted as they are when nothing is wrong, and name the version that judged them', async () => {
    const source = await aSource('block');
    const { status, body } = await send(source, [order('fine', { total: 1 })]);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, accepted: 1, duplicates: 0 } });
    expect((await stored(source, 'fine')).context).toEqual({
      trackingPlan: { id: source.planId, version: 1 },
    });
  });

  it('are accepted under observe, with warnings in the answer and in the event', async () => {
    const source = await aSource('observe');
    const { status, body } = await send(source, [order('o-1', { total: 1 }), order('o-2', { total: 'x' })]);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      accepted: 2,
      duplicates: 0,
      warnings: [
        {
          index: 1,
          messageId: 'o-2',
          code: 'schema_violation',
          path: 'batch[1].properties.total',
          rule: 'track Order Completed',
          message: 'It must be number.',
        },
      ],
    });
    const event = await stored(source, 'o-2');
    expect(event.properties).toEqual({ total: 'x' });
    expect(event.context.trackingPlan).toMatchObject({
      version: 1,
      violations: [{ path: 'properties.total', keyword: 'type' }],
    });
  });

  it('lose what is wrong under omit, and remember it', async () => {
    const source = await aSource('omit', { unplannedProperties: 'omit' });
    await send(source, [order('om-1', { total: 1, card: '4111-1111', more: true })]);
    const event = await stored(source, 'om-1');
    expect(event.properties).toEqual({ total: 1 });
    expect(event.context.trackingPlan.omitted).toEqual(['properties.card', 'properties.more']);
    expect(JSON.stringify(event)).not.toContain('4111');
  });

  it('are rejected under block, and those beside them are stored', async () => {
    const source = await aSource('block', { unplannedEvents: 'block' });
    const batch = [order('b-1', {}), order('b-2', { total: 1 }), order('b-3', {}, 'Other')];
    const { status, body } = await send(source, batch);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_events',
      accepted: 1,
      rejected: [
        {
          index: 0,
          code: 'schema_violation',
          path: 'batch[0].properties.total',
          problems: [{ rule: 'track Order Completed' }],
        },
        { index: 2, code: 'unplanned_event', path: 'batch[2]', problems: [{ rule: 'track Other' }] },
      ],
    });
    await stored(source, 'b-2');
    await eventually(async () => {
      const { body: kept } = await api.get(`/rejected-events?sourceId=${source.id}&code=schema_violation`);
      const rule = 'track Order Completed';
      const message = 'It must be there.';
      const problem = {
        code: 'schema_violation',
        path: 'properties.total',
        keyword: 'required',
        rule,
        message,
      };
      expect(kept).toMatchObject([{ messageId: 'b-1', problems: [problem] }]);
    });
  });

  it('are left alone when the plan has no rule of their type, track aside', async () => {
    const source = await aSource('block', { unplannedEvents: 'block' });
    const { messageId, ...rest } = { ...order('t-1', {}), messageId: 't-1' };
    const others = ['identify', 'page'].map((type) => ({ ...rest, type, messageId: `${messageId}-${type}` }));
    const { body } = await send(source, [...others, order('t-2', {}, 'Other')]);
    expect(body).toMatchObject({ accepted: 2, rejected: [{ index: 2, code: 'unplanned_event' }] });
  });

  it('are counted with those in quarantine in what is said of the request', async () => {
    const source = await aSource('quarantine', { unplannedEvents: 'block' });
    const { body } = await send(source, [
      order('sum-1', {}),
      order('sum-2', { total: 1 }),
      order('sum-3', {}, 'Other'),
    ]);
    expect(body.detail).toMatch(/^1 of 3 events is not valid\. 1 stored, 1 in quarantine\. First: /);
  });

  it('keep the digits of numbers, which are judged as numbers', async () => {
    const source = await aSource('block');
    const text = JSON.stringify({ batch: [order('n-1', { total: 'DIGITS' })] });
    const { status } = await send(source, text.replace('"DIGITS"', '9007199254740993.10'));
    expect(status).toBe(200);
    const [event] = await service.app
      .get(Database)
      .query<{ payload: string }>(
        `select payload::text as payload from event where payload ->> 'messageId' = 'n-1'`,
      );
    expect(event?.payload).toContain('"total":9007199254740993.10}');
    const refused = await send(source, text.replace('"DIGITS"', '"1.0"').replace('n-1', 'n-2'));
    expect(refused.status).toBe(400);
  });

  it('cannot say themselves what a plan thinks of them', async () => {
    const source = await aSource('observe');
    const context = { ip: '203.0.113.7', trackingPlan: { id: 'mine', released: true } };
    await send(source, [{ ...order('c-1', { total: 1 }), context }]);
    const event = await stored(source, 'c-1');
    expect(event.context).toEqual({ ip: '203.0.113.7', trackingPlan: { id: source.planId, version: 1 } });
  });

  it('are each judged by one version, which they name, while the plan changes under load', async () => {
    const source = await aSource('observe');
    const strict = (version: number): object => ({
      rules: [
        {
          type: 'track',
          event: 'Order Completed',
          schema: { properties: { properties: { properties: { total: { const: version } } } } },
          onViolation: 'observe',
        },
      ],
    });
    const ids: string[] = [];
    const load = { isOn: true };
    const sending = (async () => {
      for (let n = 0; load.isOn; n += 1) {
        const batch = Array.from({ length: 10 }, (_, index) => order(`v-${n}-${index}`, { total: 3 }));
        expect((await send(source, batch)).status).toBe(200);
        ids.push(`v-${n}-0`, `v-${n}-9`);
      }
    })();
    for (let version = 2; version < 8; version += 1) {
      const changed = await api.put(`/tracking-plans/${source.planId}`, strict(version));
      expect(changed.body.version).toBe(version);
    }
    load.isOn = false;
    await sending;
    const last = await send(source, [order('v-last', { total: 3 })]);
    expect(last.body.warnings).toHaveLength(1);
    for (const id of ids) {
      const { version, violations = [] } = (await stored(source, id)).context.trackingPlan;
      // Version 1 wants a number, version 3 wants 3, the others want another number.
      expect(violations).toHaveLength(version === 1 || version === 3 ? 0 : 1);
    }
    expect((await stored(source, 'v-last')).context.trackingPlan.version).toBe(7);
  });

  describe('that differ from it', () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- as above.
    const violations = (source: Source, query = ''): Promise<any[]> =>
      api
        .get(`/tracking-plans/${source.planId}/violations?sourceId=${source.id}${query}`)
        .then(({ body }) => body);

    it('are counted by rule, path and source, with some of them', async () => {
      const source = await aSource('observe', { unplannedProperties: 'observe' });
      const wrong = Array.from({ length: 5 }, (_, index) => order(`w-${index}`, { total: 'x' }));
      await send(source, [...wrong, order('w-more', { total: 1, more: 1 })]);
      const [most, other, ...rest] = await eventually(async () => {
        const all = await violations(source);
        expect(all.map(({ count }) => count)).toEqual([5, 1]);
        return all;
      });
      expect(rest).toEqual([]);
      expect(most).toMatchObject({
        sourceId: source.id,
        rule: 'track Order Completed',
        path: 'properties.total',
        code: 'schema_violation',
        keyword: 'type',
        version: 1,
      });
      expect(most.samples).toHaveLength(3);
      expect(most.samples[0]).toMatchObject({ messageId: 'w-0', event: { properties: { total: 'x' } } });
      expect(other).toMatchObject({ path: 'properties.more', code: 'unplanned_property', keyword: null });
      expect(await violations(source, '&to=2026-01-01')).toEqual([]);
      expect(await violations({ ...source, id: '01930000-0000-7000-8000-000000000000' })).toEqual([]);
    });

    it('are counted when they are blocked or quarantined, too, and by path without the places in arrays', async () => {
      const items = { items: { properties: { price: { type: 'number' } } } };
      const schema = { properties: { properties: { properties: { items } } } };
      const rules = ['block', 'quarantine'].map((onViolation) => {
        return { type: 'track', event: onViolation, schema, onViolation };
      });
      const source = await aSource('observe', { rules });
      const wrong = { items: [{ price: 1 }, { price: 'x' }, { price: 'y' }] };
      await send(source, [order('c-block', wrong, 'block'), order('c-quarantine', wrong, 'quarantine')]);
      const found = await eventually(async () => {
        const all = await violations(source);
        expect(all.map(({ rule, path, count }) => [rule, path, count])).toEqual([
          ['track block', 'properties.items[].price', 2],
          ['track quarantine', 'properties.items[].price', 2],
        ]);
        const [kept] = all[1].samples;
        expect(kept.event).toMatchObject({ event: 'quarantine' });
        return all;
      });
      expect(found[0].samples[0]).toEqual({ messageId: 'c-block', eventId: null, event: null });
    });

    it('are not shown any more once the person is erased', async () => {
      const source = await aSource('observe');
      const privacy = await anApiClient(service, ['cdp:privacy']);
      await send(source, [order('gone', {})]);
      const shown = async (): Promise<unknown> => (await violations(source))[0]?.samples[0]?.event;
      await eventually(async () => expect(await shown()).toMatchObject({ userId: 'u-gone' }));
      expect((await privacy.delete('/profiles/u-gone')).status).toBe(200);
      expect(await shown()).toBeNull();
      expect(JSON.stringify(await violations(source))).not.toContain('u-gone');
    });
  });

  describe('under quarantine', () => {
    it('are kept apart, once however often they are sent, and shown with what is wrong', async () => {
      const source = await aSource('quarantine');
      const batch = [order('q-1', {}), order('q-2', { total: 1 })];
      const { status, body } = await send(source, batch);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        accepted: 1,
        quarantined: 1,
        warnings: [{ index: 0, messageId: 'q-1', code: 'schema_violation' }],
      });
      expect((await send(source, batch)).body).toMatchObject({ accepted: 0, duplicates: 1, quarantined: 1 });
      const [found, ...others] = await eventually(async () => {
        const all = await quarantined(source);
        expect(all).toHaveLength(1);
        return all;
      });
      expect(others).toEqual([]);
      expect(found).toMatchObject({
        sourceId: source.id,
        trackingPlanId: source.planId,
        trackingPlanVersion: 1,
        codes: ['schema_violation'],
        type: 'track',
        name: 'Order Completed',
        messageId: 'q-1',
        event: { userId: 'u-q-1', context: { trackingPlan: { violations: [{ keyword: 'required' }] } } },
      });
      expect((await api.get(`/quarantined-events/${found.id}`)).body).toEqual(found);
      expect((await api.get('/events?messageId=q-1')).body).toEqual([]);
      expect((await api.get('/events/trace?messageId=q-1')).body).toMatchObject([
        { outcome: 'quarantined', event: null, quarantined: { id: found.id }, destinations: [] },
      ]);
      await eventually(async () => {
        const { sources } = (await api.get('/stats')).body;
        const counts = sources.find(({ sourceId }: { sourceId: string }) => sourceId === source.id);
        expect(counts).toMatchObject({ accepted: 1, duplicate: 1, quarantined: 2 });
      });
    });

    it('are found by what they are', async () => {
      const source = await aSource('quarantine', { unplannedEvents: 'quarantine' });
      await send(source, [order('f-1', {}), order('f-2', {}, 'Other')]);
      await eventually(async () => expect(await quarantined(source)).toHaveLength(2));
      const ids = async (query: string): Promise<string[]> =>
        (await quarantined(source, query)).map(({ messageId }) => messageId);
      expect(await ids('&code=unplanned_event')).toEqual(['f-2']);
      expect(await ids('&name=Order%20Completed')).toEqual(['f-1']);
      expect(await ids('&userId=u-f-2')).toEqual(['f-2']);
      expect(await ids('&messageId=f-2')).toEqual(['f-2']);
      expect(await ids(`&trackingPlanId=${source.planId}&type=track&from=2026-01-01`)).toEqual([
        'f-2',
        'f-1',
      ]);
      expect(await ids('&type=page')).toEqual([]);
      expect(await ids('&to=2026-01-01')).toEqual([]);
      expect(await ids('&limit=1')).toEqual(['f-2']);
    });

    it('go the way of all others once they are released, and say so', async () => {
      const source = await aSource('quarantine');
      await send(source, [order('r-1', {}), order('r-2', {})]);
      const [, first] = await eventually(async () => {
        const all = await quarantined(source);
        expect(all).toHaveLength(2);
        return all;
      });
      // Nothing is left to the sweeper.
      const sweeps = jest
        .spyOn(service.app.get(InboxSweeper, { strict: false }), 'sweep')
        .mockResolvedValue(0);
      const { body: released } = await api.post(`/quarantined-events/${first.id}/release`);
      const event = await stored(source, first.messageId);
      expect(released).toEqual({ eventId: expect.any(String) });
      expect((await api.get(`/events/${released.eventId}`)).body.messageId).toBe(first.messageId);
      expect(event.timestamp).toBe('2026-11-20T12:00:00.000Z');
      expect(event.context.trackingPlan).toMatchObject({ version: 1, released: true });
      await eventually(async () => {
        expect((await api.get(`/profiles/u-${first.messageId}`)).status).toBe(200);
      });
      sweeps.mockRestore();
      expect(await api.post(`/quarantined-events/${first.id}/release`)).toMatchObject({ status: 404 });
      const rest = await api.post('/quarantined-events/release', { sourceId: source.id });
      expect(rest.body).toEqual({ settled: 1, remaining: 0 });
      expect(await quarantined(source)).toEqual([]);
    });

    it('are duplicates, and not kept apart again, when they were accepted before', async () => {
      const source = await aSource('observe');
      const { planId } = source;
      const inQuarantine = (): Promise<unknown[]> =>
        service.app.get(Database).query('select from quarantined_event where source_id = $1', [source.id]);
      await send(source, [order('a-1', {})]);
      const rules = [{ type: 'track', event: 'Order Completed', schema: SCHEMA, onViolation: 'quarantine' }];
      await api.put(`/tracking-plans/${planId}`, { rules });
      const batch = [order('a-1', {}), order('a-2', {}), order('a-3', { total: 1 })];
      expect((await send(source, batch)).body).toMatchObject({ accepted: 1, duplicates: 1, quarantined: 1 });
      expect(await inQuarantine()).toHaveLength(1);
      await eventually(async () => expect(await quarantined(source)).toHaveLength(1));
      await api.post('/quarantined-events/release', { sourceId: source.id });
      const again = await send(source, batch);
      expect(again.body).toMatchObject({ success: true, accepted: 0, duplicates: 3 });
      expect(again.body).not.toHaveProperty('quarantined');
      expect(await inQuarantine()).toEqual([]);
    });

    it('are duplicates when their release ends while they are being kept apart again', async () => {
      const source = await aSource('quarantine');
      const database = service.app.get(Database);
      await send(source, [order('m-1', {})]);
      const event = asStorable(anyEvent({ sourceId: source.id, messageId: 'm-1', userId: 'u-m-1' }));
      const dropSql = 'delete from quarantined_event where key = $1';
      const again = await database.transaction(async (tx) => {
        await tx.query(dropSql, [event.key]);
        const answer = send(source, [order('m-1', {})]);
        await eventually(async () => expect(await database.query(waitingSql)).not.toHaveLength(0));
        await service.app.get(EventStore, { strict: false }).store([event]);
        return { answer };
      });
      expect((await again.answer).body).toMatchObject({ accepted: 0, duplicates: 1 });
      expect(await database.query('select from quarantined_event where key = $1', [event.key])).toEqual([]);
    });

    it('are kept apart or stored, never both, when they are sent again while they are released', async () => {
      const source = await aSource('quarantine');
      const database = service.app.get(Database);
      const batch = Array.from({ length: 20 }, (_, n) => order(`race-${n}`, {}));
      await send(source, batch);
      await eventually(async () => expect(await quarantined(source)).toHaveLength(20));
      const sending = Array.from({ length: 5 }, async () => {
        for (let round = 0; round < 5; round += 1) {
          const { accepted, duplicates, quarantined: apart = 0 } = (await send(source, batch)).body;
          expect({ accepted, settled: duplicates + apart }).toEqual({ accepted: 0, settled: 20 });
        }
      });
      for (let n = 0; n < 20; n += 1) {
        const search = { sourceId: source.id, userId: `u-race-${n}` };
        await api.post('/quarantined-events/release', search);
      }
      await Promise.all(sending);
      await api.post('/quarantined-events/release', { sourceId: source.id });
      expect((await send(source, batch)).body).toMatchObject({ accepted: 0, duplicates: 20 });
      expect(await database.query('select from quarantined_event where source_id = $1', [source.id])).toEqual(
        [],
      );
      const { body } = await api.get(`/events?sourceId=${source.id}&limit=100`);
      expect(body).toHaveLength(20);
    });

    it('stay where they are when their release fails after they were stored', async () => {
      const source = await aSource('quarantine');
      const database = service.app.get(Database);
      await send(source, [order('h-1', {})]);
      const [found] = await eventually(async () => {
        const all = await quarantined(source);
        expect(all).toHaveLength(1);
        return all;
      });
      await database.query(
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
      );
      await database.query(`create trigger refuse_ending before delete on quarantined_event
        for each row when (old.message_id = 'h-1') execute function refuse()`);
      const failed = await api.post(`/quarantined-events/${found.id}/release`);
      await database.query('drop function refuse cascade');
      expect(failed.status).toBe(500);
      expect((await api.get(`/events?sourceId=${source.id}`)).body).toEqual([]);
      expect(await quarantined(source)).toHaveLength(1);
      const { body } = await api.post(`/quarantined-events/${found.id}/release`);
      expect(body).toEqual({ eventId: expect.any(String) });
      expect((await api.get(`/events?sourceId=${source.id}`)).body).toHaveLength(1);
    });

    it('end their quarantine when they are released and an event with their messageId is there', async () => {
      const source = await aSource('quarantine');
      await send(source, [order('k-1', {})]);
      const [found] = await eventually(async () => {
        const all = await quarantined(source);
        expect(all).toHaveLength(1);
        return all;
      });
      const event = asStorable(anyEvent({ sourceId: source.id, messageId: 'k-1', userId: 'u-k-1' }));
      await service.app.get(EventStore, { strict: false }).store([event]);
      const { body } = await api.post(`/quarantined-events/${found.id}/release`);
      expect(body).toEqual({ eventId: null });
      expect(await quarantined(source)).toEqual([]);
      expect((await stored(source, 'k-1')).context).toBeUndefined();
    });

    it('are gone once they are discarded, which the audit says', async () => {
      const source = await aSource('quarantine');
      await send(source, [order('d-1', {}), order('d-2', {})]);
      const [found] = await eventually(async () => {
        const all = await quarantined(source);
        expect(all).toHaveLength(2);
        return all;
      });
      expect(await api.post(`/quarantined-events/${found.id}/discard`)).toMatchObject({ status: 204 });
      expect(await api.post(`/quarantined-events/${found.id}/discard`)).toMatchObject({ status: 404 });
      expect((await api.post('/quarantined-events/discard', { sourceId: source.id })).body).toEqual({
        settled: 1,
        remaining: 0,
      });
      expect((await api.get('/events?messageId=d-1')).body).toEqual([]);
      const { body } = await api.get('/audit?resource=quarantine&limit=2');
      expect(body).toMatchObject([
        { action: 'discard', after: { events: 1, filter: { sourceId: source.id } } },
        { action: 'discard', resourceId: found.id },
      ]);
    });

    it('refuse a strict batch, of which nothing is stored, and say why among the rejected', async () => {
      const source = await aSource('quarantine');
      const { status, body } = await send(
        source,
        [order('s-1', {}), order('s-2', { total: 1 })],
        '?strict=true',
      );
      expect(status).toBe(400);
      expect(body).toMatchObject({ accepted: 0, rejected: [{ index: 0, code: 'schema_violation' }] });
      await eventually(async () => {
        expect((await api.get(`/rejected-events?sourceId=${source.id}`)).body).toMatchObject([
          { messageId: 's-1', problems: [{ code: 'schema_violation', path: 'properties.total' }] },
        ]);
      });
      expect((await api.get('/events?messageId=s-2')).body).toEqual([]);
      expect(await quarantined(source)).toEqual([]);
    });

    it('are deleted when nobody has released them for as long as they are kept', async () => {
      const source = await aSource('quarantine');
      await send(source, [order('old', {}), order('young', {})]);
      await eventually(async () => expect(await quarantined(source)).toHaveLength(2));
      await service.app
        .get(Database)
        .query(`update quarantined_event set id = $1 where message_id = 'old'`, [
          lowestId(Date.now() - 31 * DAY_MS),
        ]);
      await service.app.get(QuarantineRetention, { strict: false }).dropOld();
      expect((await quarantined(source)).map(({ messageId }) => messageId)).toEqual(['young']);
    });

    it('are exported and erased with the person, and dropped of somebody who is suppressed', async () => {
      const source = await aSource('quarantine');
      const privacy = await anApiClient(service, ['cdp:privacy']);
      await send(source, [order('e-1', {})]);
      await eventually(async () => expect(await quarantined(source)).toHaveLength(1));
      const exported = await privacy.get<string>('/profiles/u-e-1/export');
      expect(exported.body).toContain('"kind":"quarantined_event"');
      expect((await privacy.delete('/profiles/u-e-1?suppress=true')).status).toBe(200);
      expect(await quarantined(source)).toEqual([]);
      await send(source, [order('e-1', {}), order('e-2', {})]);
      await eventually(async () => {
        expect((await quarantined(source)).map(({ messageId }) => messageId)).toEqual(['e-2']);
      });
    });
  });
});
