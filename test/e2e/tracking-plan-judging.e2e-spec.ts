import { Database } from '../../src/platform/database/database';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { anOrder, type PlannedSource, PlannedSources } from '../support/planned-sources';
import { startTestService, type TestService } from '../support/test-service';

describe('events of a source with a tracking plan', () => {
  let service: TestService;
  let api: ApiClient;
  let sources: PlannedSources;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    sources = new PlannedSources(api);
  });
  afterAll(() => service.close());

  it('are accepted as they are when nothing is wrong, and name the version that judged them', async () => {
    const source = await sources.make('block');
    const { status, body } = await sources.send(source, [anOrder('fine', { total: 1 })]);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, accepted: 1, duplicates: 0 } });
    expect((await sources.stored(source, 'fine')).context).toEqual({
      trackingPlan: { id: source.planId, version: 1 },
    });
  });

  it('are refused beyond what memory has room for while the plan cannot be read, and judged once it can', async () => {
    const source = await sources.make('block');
    // A plan is read when its first event comes. The write key is known from the Management API.
    const large = Array.from({ length: 16 }, (_, n) =>
      anOrder(`cold-${n}`, { total: 1, card: 'x'.repeat(30_000) }),
    );
    const answers = await service.app.get(Database).transaction(async (tx) => {
      await tx.query('lock table tracking_plan_version in access exclusive mode');
      let answered = 0;
      const sent = Array.from({ length: 12 }, () =>
        sources.send(source, large).finally(() => (answered += 1)),
      );
      await eventually(() => expect(answered).toBe(4));
      return sent;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expect(statuses.filter((status) => status === 400)).toHaveLength(8);
  });

  it('are accepted under observe, with warnings in the answer and in the event', async () => {
    const source = await sources.make('observe');
    const { status, body } = await sources.send(source, [
      anOrder('o-1', { total: 1 }),
      anOrder('o-2', { total: 'x' }),
    ]);
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
    const event = await sources.stored(source, 'o-2');
    expect(event.properties).toEqual({ total: 'x' });
    expect(event.context.trackingPlan).toMatchObject({
      version: 1,
      violations: [{ path: 'properties.total', keyword: 'type' }],
    });
  });

  it('lose what is wrong under omit, and remember it', async () => {
    const source = await sources.make('omit', { unplannedProperties: 'omit' });
    await sources.send(source, [anOrder('om-1', { total: 1, card: '4111-1111', more: true })]);
    const event = await sources.stored(source, 'om-1');
    expect(event.properties).toEqual({ total: 1 });
    expect(event.context.trackingPlan.omitted).toEqual(['properties.card', 'properties.more']);
    expect(JSON.stringify(event)).not.toContain('4111');
  });

  it('are rejected under block, and those beside them are stored', async () => {
    const source = await sources.make('block', { unplannedEvents: 'block' });
    const batch = [anOrder('b-1', {}), anOrder('b-2', { total: 1 }), anOrder('b-3', {}, 'Other')];
    const { status, body } = await sources.send(source, batch);
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
    await sources.stored(source, 'b-2');
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
    const source = await sources.make('block', { unplannedEvents: 'block' });
    const { messageId, ...rest } = { ...anOrder('t-1', {}), messageId: 't-1' };
    const others = ['identify', 'page'].map((type) => ({ ...rest, type, messageId: `${messageId}-${type}` }));
    const { body } = await sources.send(source, [...others, anOrder('t-2', {}, 'Other')]);
    expect(body).toMatchObject({ accepted: 2, rejected: [{ index: 2, code: 'unplanned_event' }] });
  });

  it('are counted with those in quarantine in what is said of the request', async () => {
    const source = await sources.make('quarantine', { unplannedEvents: 'block' });
    const { body } = await sources.send(source, [
      anOrder('sum-1', {}),
      anOrder('sum-2', { total: 1 }),
      anOrder('sum-3', {}, 'Other'),
    ]);
    expect(body.detail).toMatch(/^1 of 3 events is not valid\. 1 stored, 1 in quarantine\. First: /);
  });

  it('keep the digits of numbers, which are judged as numbers', async () => {
    const source = await sources.make('block');
    const text = JSON.stringify({ batch: [anOrder('n-1', { total: 'DIGITS' })] });
    const { status } = await sources.send(source, text.replace('"DIGITS"', '9007199254740993.10'));
    expect(status).toBe(200);
    const [event] = await service.app
      .get(Database)
      .query<{ payload: string }>(
        `select payload::text as payload from event where payload ->> 'messageId' = 'n-1'`,
      );
    expect(event?.payload).toContain('"total":9007199254740993.10}');
    const refused = await sources.send(source, text.replace('"DIGITS"', '"1.0"').replace('n-1', 'n-2'));
    expect(refused.status).toBe(400);
  });

  it('cannot say themselves what a plan thinks of them', async () => {
    const source = await sources.make('observe');
    const context = { ip: '203.0.113.7', trackingPlan: { id: 'mine', released: true } };
    await sources.send(source, [{ ...anOrder('c-1', { total: 1 }), context }]);
    const event = await sources.stored(source, 'c-1');
    expect(event.context).toEqual({ ip: '203.0.113.7', trackingPlan: { id: source.planId, version: 1 } });
  });

  it('are each judged by one version, which they name, while the plan changes under load', async () => {
    const source = await sources.make('observe');
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
        const batch = Array.from({ length: 10 }, (_, index) => anOrder(`v-${n}-${index}`, { total: 3 }));
        expect((await sources.send(source, batch)).status).toBe(200);
        ids.push(`v-${n}-0`, `v-${n}-9`);
      }
    })();
    for (let version = 2; version < 8; version += 1) {
      const changed = await api.put(`/tracking-plans/${source.planId}`, strict(version));
      expect(changed.body.version).toBe(version);
    }
    load.isOn = false;
    await sending;
    const last = await sources.send(source, [anOrder('v-last', { total: 3 })]);
    expect(last.body.warnings).toHaveLength(1);
    for (const id of ids) {
      const { version, violations = [] } = (await sources.stored(source, id)).context.trackingPlan;
      // Version 1 wants a number, version 3 wants 3, the others want another number.
      expect(violations).toHaveLength(version === 1 || version === 3 ? 0 : 1);
    }
    expect((await sources.stored(source, 'v-last')).context.trackingPlan.version).toBe(7);
  });

  describe('that differ from it', () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
    const violations = (source: PlannedSource, query = ''): Promise<any[]> =>
      api
        .get(`/tracking-plans/${source.planId}/violations?sourceId=${source.id}${query}`)
        .then(({ body }) => body);

    it('are counted by rule, path and source, with some of them', async () => {
      const source = await sources.make('observe', { unplannedProperties: 'observe' });
      const wrong = Array.from({ length: 5 }, (_, index) => anOrder(`w-${index}`, { total: 'x' }));
      await sources.send(source, [...wrong, anOrder('w-more', { total: 1, more: 1 })]);
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
        counts: { accepted: 5, quarantined: 0, rejected: 0 },
        version: 1,
      });
      expect(most.samples).toHaveLength(3);
      expect(most.samples[0]).toMatchObject({
        messageId: 'w-0',
        event: { properties: { total: 'x' } },
        quarantined: false,
      });
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
      const source = await sources.make('observe', { rules });
      const wrong = { items: [{ price: 1 }, { price: 'x' }, { price: 'y' }] };
      await sources.send(source, [
        anOrder('c-block', wrong, 'block'),
        anOrder('c-quarantine', wrong, 'quarantine'),
      ]);
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
      expect(found.map(({ counts }) => counts)).toEqual([
        { accepted: 0, quarantined: 0, rejected: 2 },
        { accepted: 0, quarantined: 2, rejected: 0 },
      ]);
      expect(found[0].samples).toEqual([]);
      expect(found[1].samples[0]).toMatchObject({
        eventId: expect.any(String),
        messageId: 'c-quarantine',
        quarantined: true,
      });
    });

    it('are counted as one beyond some hundred names that clients make up, blocked or not', async () => {
      const counts: number[] = [];
      for (const action of ['observe', 'block']) {
        const source = await sources.make('observe', { unplannedProperties: action });
        const paths = async (): Promise<{ path: string; count: number }[]> =>
          action === 'block'
            ? (await api.get(`/rejected-events/counts?sourceId=${source.id}`)).body
            : violations(source);
        const batch = Array.from({ length: 300 }, (_, n) => anOrder(`n-${n}`, { total: 1, [`id-${n}`]: 1 }));
        await sources.send(source, batch);
        const [most] = await eventually(async () => {
          const found = await paths();
          expect(found[0]).toMatchObject({ path: 'properties.*' });
          return found;
        });
        counts.push(most?.count ?? 0);
      }
      expect(counts).toEqual([100, 100]);
    });

    it('are counted as one of each type beyond some hundred names of events that clients make up', async () => {
      const source = await sources.make('observe', { unplannedEvents: 'observe' });
      const batch = Array.from({ length: 300 }, (_, n) => anOrder(`v-${n}`, {}, `Viewed /p/${n}`));
      await sources.send(source, [...batch, anOrder('v-planned', { total: 'x' })]);
      const found = await eventually(async () => {
        const all = await violations(source);
        expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(301);
        return all;
      });
      expect(found[0]).toMatchObject({ rule: 'track *', path: '', code: 'unplanned_event', count: 100 });
      const others = found.slice(1).map(({ rule }) => rule);
      expect(others).toHaveLength(201);
      expect(others).toEqual(expect.arrayContaining(['track Viewed /p/0', 'track Order Completed']));
    });

    it('are not shown any more once they are released or discarded', async () => {
      const source = await sources.make('quarantine');
      const ids = ['stays', 'released', 'discarded'];
      await sources.send(
        source,
        ids.map((id) => anOrder(id, {})),
      );
      const shown = async (): Promise<string[]> =>
        (await violations(source))[0]?.samples.map(({ messageId }: { messageId: string }) => messageId);
      await eventually(async () => expect((await shown()).toSorted()).toEqual(ids.toSorted()));
      const idOf = async (messageId: string): Promise<string> =>
        (await sources.quarantined(source, `&messageId=${messageId}`))[0].id;
      expect((await api.post(`/quarantined-events/${await idOf('released')}/release`)).status).toBe(200);
      expect((await api.post(`/quarantined-events/${await idOf('discarded')}/discard`)).status).toBe(204);
      expect(await shown()).toEqual(['stays']);
    });

    it('are not shown any more once the person is erased', async () => {
      const source = await sources.make('observe');
      const privacy = await anApiClient(service, ['cdp:privacy']);
      await sources.send(source, [anOrder('gone', {})]);
      const shown = async (): Promise<unknown> => (await violations(source))[0]?.samples[0]?.event;
      await eventually(async () => expect(await shown()).toMatchObject({ userId: 'u-gone' }));
      expect((await privacy.delete('/profiles/u-gone')).status).toBe(200);
      expect(await violations(source)).toMatchObject([{ count: 1, samples: [] }]);
      const samples = 'select samples from plan_violation_minute where source_id = $1';
      const kept = await service.app.get(Database).query(samples, [source.id]);
      expect(JSON.stringify([await violations(source), kept])).not.toContain('gone');
    });
  });
});
