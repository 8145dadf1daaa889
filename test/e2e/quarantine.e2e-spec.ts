import { EventStore } from '../../src/events/event-store';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { InboxSweeper } from '../../src/ingestion/processing/inbox-sweeper';
import { QuarantineLog } from '../../src/ingestion/quarantine-log';
import { Database } from '../../src/platform/database/database';
import { QuarantineRetention } from '../../src/tracking-plans/quarantine/quarantine-retention';
import { anyEvent, asStorable } from '../support/any-event';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { anOrder, ORDER_SCHEMA, PlannedSources } from '../support/planned-sources';
import { startTestService, type TestService } from '../support/test-service';

const waitingSql = `
  select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

describe('events that a tracking plan quarantines', () => {
  let service: TestService;
  let api: ApiClient;
  let sources: PlannedSources;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    sources = new PlannedSources(api);
  });
  afterAll(() => service.close());

  it('are kept apart, once however often they are sent, and shown with what is wrong', async () => {
    const source = await sources.make('quarantine');
    const batch = [anOrder('q-1', {}), anOrder('q-2', { total: 1 })];
    const { status, body } = await sources.send(source, batch);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      accepted: 1,
      quarantined: 1,
      warnings: [{ index: 0, messageId: 'q-1', code: 'schema_violation' }],
    });
    expect((await sources.send(source, batch)).body).toMatchObject({
      accepted: 0,
      duplicates: 1,
      quarantined: 1,
    });
    const [found, ...others] = await eventually(async () => {
      const all = await sources.quarantined(source);
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
      const { sources: counted } = (await api.get('/stats')).body;
      const counts = counted.find(({ sourceId }: { sourceId: string }) => sourceId === source.id);
      expect(counts).toMatchObject({ accepted: 1, duplicate: 1, quarantined: 2 });
    });
    const standing = async (): Promise<number> => (await api.get('/stats')).body.quarantine.events;
    const before = await standing();
    await api.post(`/quarantined-events/${found.id}/discard`);
    expect(await standing()).toBe(before - 1);
  });

  it('are found by what they are', async () => {
    const source = await sources.make('quarantine', { unplannedEvents: 'quarantine' });
    await sources.send(source, [anOrder('f-1', {}), anOrder('f-2', {}, 'Other')]);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(2));
    const ids = async (query: string): Promise<string[]> =>
      (await sources.quarantined(source, query)).map(({ messageId }) => messageId);
    expect(await ids('&code=unplanned_event')).toEqual(['f-2']);
    expect(await ids('&name=Order%20Completed')).toEqual(['f-1']);
    expect(await ids('&userId=u-f-2')).toEqual(['f-2']);
    expect(await ids('&messageId=f-2')).toEqual(['f-2']);
    expect(await ids(`&trackingPlanId=${source.planId}&type=track&from=2026-01-01`)).toEqual(['f-2', 'f-1']);
    expect(await ids('&type=page')).toEqual([]);
    expect(await ids('&to=2026-01-01')).toEqual([]);
    expect(await ids('&limit=1')).toEqual(['f-2']);
  });

  it('are listed in pages of some megabytes, each of which leads to the next', async () => {
    const source = await sources.make('quarantine');
    const ids = ['l-1', 'l-2', 'l-3', 'l-4', 'l-5'];
    await sources.send(
      source,
      ids.map((id) => anOrder(id, {})),
    );
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(5));
    const enlarged = `json_build_object('note', repeat('x', 3000000))`;
    await service.app
      .get(Database)
      .query(`update quarantined_event set payload = ${enlarged} where source_id = $1`, [source.id]);
    const pages: string[][] = [];
    let next: string | undefined = `/quarantined-events?sourceId=${source.id}`;
    while (next !== undefined) {
      const page: ApiAnswer<{ messageId: string }[]> = await api.get(next);
      pages.push(page.body.map(({ messageId }) => messageId));
      next = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(ids.toReversed());
  });

  it('go the way of all others once they are released, and say so', async () => {
    const source = await sources.make('quarantine');
    await sources.send(source, [anOrder('r-1', {}), anOrder('r-2', {})]);
    const [, first] = await eventually(async () => {
      const all = await sources.quarantined(source);
      expect(all).toHaveLength(2);
      return all;
    });
    // Nothing is left to the sweeper.
    const sweeps = jest.spyOn(service.app.get(InboxSweeper, { strict: false }), 'sweep').mockResolvedValue(0);
    const { body: released } = await api.post(`/quarantined-events/${first.id}/release`);
    const event = await sources.stored(source, first.messageId);
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
    expect(await sources.quarantined(source)).toEqual([]);
    await eventually(async () => {
      const { body: stats } = await api.get('/stats');
      expect(stats.sources).toContainEqual({
        sourceId: source.id,
        accepted: 2,
        duplicate: 0,
        rejected: 0,
        quarantined: 2,
      });
    });
  });

  it('are duplicates, and not kept apart again, when they were accepted before', async () => {
    const source = await sources.make('observe');
    const { planId } = source;
    const inQuarantine = (): Promise<unknown[]> =>
      service.app.get(Database).query('select from quarantined_event where source_id = $1', [source.id]);
    await sources.send(source, [anOrder('a-1', {})]);
    const rules = [
      { type: 'track', event: 'Order Completed', schema: ORDER_SCHEMA, onViolation: 'quarantine' },
    ];
    await api.put(`/tracking-plans/${planId}`, { rules });
    const batch = [anOrder('a-1', {}), anOrder('a-2', {}), anOrder('a-3', { total: 1 })];
    expect((await sources.send(source, batch)).body).toMatchObject({
      accepted: 1,
      duplicates: 1,
      quarantined: 1,
    });
    expect(await inQuarantine()).toHaveLength(1);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(1));
    await api.post('/quarantined-events/release', { sourceId: source.id });
    const again = await sources.send(source, batch);
    expect(again.body).toMatchObject({ success: true, accepted: 0, duplicates: 3 });
    expect(again.body).not.toHaveProperty('quarantined');
    expect(await inQuarantine()).toEqual([]);
  });

  it('are duplicates when their release ends while they are being kept apart again', async () => {
    const source = await sources.make('quarantine');
    const database = service.app.get(Database);
    await sources.send(source, [anOrder('m-1', {})]);
    const event = asStorable(anyEvent({ sourceId: source.id, messageId: 'm-1', userId: 'u-m-1' }));
    const dropSql = 'delete from quarantined_event where key = $1';
    const again = await database.transaction(async (tx) => {
      await tx.query(dropSql, [event.key]);
      const answer = sources.send(source, [anOrder('m-1', {})]);
      await eventually(async () => expect(await database.query(waitingSql)).not.toHaveLength(0));
      await service.app.get(EventStore, { strict: false }).store([event]);
      return { answer };
    });
    expect((await again.answer).body).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await database.query('select from quarantined_event where key = $1', [event.key])).toEqual([]);
  });

  it('are kept apart or stored, never both, when they are sent again while they are released', async () => {
    const source = await sources.make('quarantine');
    const database = service.app.get(Database);
    const batch = Array.from({ length: 20 }, (_, n) => anOrder(`race-${n}`, {}));
    await sources.send(source, batch);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(20));
    const sending = Array.from({ length: 5 }, async () => {
      for (let round = 0; round < 5; round += 1) {
        const { accepted, duplicates, quarantined: apart = 0 } = (await sources.send(source, batch)).body;
        expect({ accepted, settled: duplicates + apart }).toEqual({ accepted: 0, settled: 20 });
      }
    });
    for (let n = 0; n < 20; n += 1) {
      const search = { sourceId: source.id, userId: `u-race-${n}` };
      await api.post('/quarantined-events/release', search);
    }
    await Promise.all(sending);
    await api.post('/quarantined-events/release', { sourceId: source.id });
    expect((await sources.send(source, batch)).body).toMatchObject({ accepted: 0, duplicates: 20 });
    expect(await database.query('select from quarantined_event where source_id = $1', [source.id])).toEqual(
      [],
    );
    const { body } = await api.get(`/events?sourceId=${source.id}&limit=100`);
    expect(body).toHaveLength(20);
  });

  it('find no more room than others while they wait to be kept, and are sent again', async () => {
    const source = await sources.make('quarantine');
    const database = service.app.get(Database);
    const keeping = jest.spyOn(service.app.get(QuarantineLog, { strict: false }), 'keepEvents');
    const note = 'x'.repeat(10_000);
    const batch = (round: number): object[] =>
      Array.from({ length: 40 }, (_, n) => anOrder(`room-${round}-${n}`, { note }));
    const answers: ReturnType<typeof sources.send>[] = [];
    const refused = await database.transaction(async (tx) => {
      await tx.query('lock table quarantined_event in share mode');
      while (answers.length < 200) {
        let status: number | undefined;
        const answer = sources.send(source, batch(answers.length));
        void answer.then((received) => (status = received.status));
        await eventually(() => expect(status ?? keeping.mock.calls[answers.length]).toBeDefined());
        if (status !== undefined) return answer;
        answers.push(answer);
      }
      return undefined;
    });
    keeping.mockRestore();
    expect(refused).toMatchObject({ status: 429, body: { code: 'overloaded' } });
    expect((await Promise.all(answers)).every(({ body }) => body.quarantined === 40)).toBe(true);
    expect((await sources.send(source, batch(answers.length))).body).toMatchObject({ quarantined: 40 });
  });

  it('stay where they are when their release fails after they were stored', async () => {
    const source = await sources.make('quarantine');
    const database = service.app.get(Database);
    await sources.send(source, [anOrder('h-1', {})]);
    const [found] = await eventually(async () => {
      const all = await sources.quarantined(source);
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
    expect(await sources.quarantined(source)).toHaveLength(1);
    const { body } = await api.post(`/quarantined-events/${found.id}/release`);
    expect(body).toEqual({ eventId: expect.any(String) });
    expect((await api.get(`/events?sourceId=${source.id}`)).body).toHaveLength(1);
  });

  it('end their quarantine when they are released and an event with their messageId is there', async () => {
    const source = await sources.make('quarantine');
    await sources.send(source, [anOrder('k-1', {})]);
    const [found] = await eventually(async () => {
      const all = await sources.quarantined(source);
      expect(all).toHaveLength(1);
      return all;
    });
    const event = asStorable(anyEvent({ sourceId: source.id, messageId: 'k-1', userId: 'u-k-1' }));
    await service.app.get(EventStore, { strict: false }).store([event]);
    const { body } = await api.post(`/quarantined-events/${found.id}/release`);
    expect(body).toEqual({ eventId: null });
    expect(await sources.quarantined(source)).toEqual([]);
    expect((await sources.stored(source, 'k-1')).context).toBeUndefined();
  });

  it('are gone once they are discarded, which the audit says', async () => {
    const source = await sources.make('quarantine');
    await sources.send(source, [anOrder('d-1', {}), anOrder('d-2', {})]);
    const [found, other] = await eventually(async () => {
      const all = await sources.quarantined(source);
      expect(all).toHaveLength(2);
      return all;
    });
    expect(await api.post(`/quarantined-events/${found.id}/discard`)).toMatchObject({ status: 204 });
    expect(await api.post(`/quarantined-events/${found.id}/discard`)).toMatchObject({ status: 404 });
    expect(
      (await api.post('/quarantined-events/discard', { sourceId: source.id, messageId: other.messageId }))
        .body,
    ).toEqual({
      settled: 1,
      remaining: 0,
    });
    expect((await api.get('/events?messageId=d-1')).body).toEqual([]);
    const { body } = await api.get('/audit?resource=quarantine&limit=2');
    expect(body).toMatchObject([
      { action: 'discard', after: { events: 1, filter: { sourceId: source.id } } },
      { action: 'discard', resourceId: found.id },
    ]);
    expect(body[0].after.filter).toEqual({ sourceId: source.id });
  });

  it('are settled by their ids, only those that the rest of the filter finds', async () => {
    const source = await sources.make('quarantine');
    const messageIds = ['i-1', 'i-2', 'i-3', 'i-4'];
    await sources.send(
      source,
      messageIds.map((messageId) => anOrder(messageId, {})),
    );
    const [fourth, third, second, first] = await eventually(async () => {
      const all = await sources.quarantined(source);
      expect(all).toHaveLength(4);
      return all.map(({ id }) => id);
    });
    const other = await sources.make('quarantine');
    expect(
      (await api.post('/quarantined-events/discard', { sourceId: other.id, ids: [first, second] })).body,
    ).toEqual({ settled: 0, remaining: 0 });
    expect((await api.post('/quarantined-events/release', { ids: [third, first] })).body).toEqual({
      settled: 2,
      remaining: 0,
    });
    expect((await api.post('/quarantined-events/discard', { ids: [second, first] })).body).toEqual({
      settled: 1,
      remaining: 0,
    });
    expect((await sources.quarantined(source)).map(({ id }) => id)).toEqual([fourth]);
    const stored = (await api.get(`/events?sourceId=${source.id}`)).body as { messageId: string }[];
    expect(stored.map(({ messageId }) => messageId)).toEqual(['i-3', 'i-1']);
    const { body } = await api.get('/audit?resource=quarantine&limit=1');
    expect(body).toMatchObject([{ action: 'discard', after: { filter: { ids: [second, first] } } }]);
  });

  it.each([[null], [[]], ['nonsense'], [['nonsense']]])('are not settled by the ids %j', async (ids) => {
    for (const verb of ['release', 'discard']) {
      expect(await api.post(`/quarantined-events/${verb}`, { ids })).toMatchObject({
        status: 400,
        body: { errors: [{ path: expect.stringMatching(/^ids/) }] },
      });
    }
  });

  it('are settled 10,000 at a time, and those that are left are counted as far as that', async () => {
    const source = await sources.make('quarantine');
    // Many at one time, and others between them that are not asked for.
    await service.app.get(Database).query(
      `insert into quarantined_event
         (id, key, source_id, plan_id, plan_version, codes, subject, subjects, type, name, message_id, "timestamp", payload, screened)
       select gen_random_uuid(), gen_random_uuid(), $1, $2, 1, '{schema_violation}', 'u:many', '{u:many}', 'track',
         case when n % 10 = 0 then 'other' else 'asked for' end, n, now() - interval '1 second' * (n % 31), '{}', true
       from generate_series(1, 22227) n`,
      [source.id, source.planId],
    );
    const discard = async (): Promise<unknown> =>
      (await api.post('/quarantined-events/discard', { sourceId: source.id, name: 'asked for' })).body;
    expect(await discard()).toEqual({ settled: 10_000, remaining: 10_000 });
    expect(await discard()).toEqual({ settled: 10_000, remaining: 5 });
    expect(await discard()).toEqual({ settled: 5, remaining: 0 });
    const rest = await api.post('/quarantined-events/discard', { sourceId: source.id });
    expect(rest.body).toEqual({ settled: 2_222, remaining: 0 });
  });

  it('refuse a strict batch, of which nothing is stored, and say why among the rejected', async () => {
    const source = await sources.make('quarantine');
    const { status, body } = await sources.send(
      source,
      [anOrder('s-1', {}), anOrder('s-2', { total: 1 })],
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
    expect(await sources.quarantined(source)).toEqual([]);
  });

  it('are deleted when nobody has released them for as long as they are kept', async () => {
    const source = await sources.make('quarantine');
    await sources.send(source, [anOrder('old', {}), anOrder('young', {})]);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(2));
    await service.app
      .get(Database)
      .query(`update quarantined_event set id = $1 where message_id = 'old'`, [
        lowestId(Date.now() - 31 * DAY_MS),
      ]);
    await service.app.get(QuarantineRetention, { strict: false }).dropOld();
    expect((await sources.quarantined(source)).map(({ messageId }) => messageId)).toEqual(['young']);
  });

  it('are deleted when an event with their messageId was accepted since, however late others are released', async () => {
    const source = await sources.make('quarantine');
    const database = service.app.get(Database);
    await sources.send(source, [anOrder('mended', {}), anOrder('still-wrong', {})]);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(2));
    const again = await sources.send(source, [anOrder('mended', { total: 1 })]);
    expect(again.body).toMatchObject({ accepted: 1 });
    await service.app.get(QuarantineRetention, { strict: false }).dropAccepted();
    // What is remembered of messageIds goes after two windows of deduplication.
    const messagesSql = 'select id from event where source_id = $1';
    await database.query(`delete from message_id where event_id in (${messagesSql})`, [source.id]);
    const { body } = await api.post('/quarantined-events/release', { sourceId: source.id });
    expect(body).toEqual({ settled: 1, remaining: 0 });
    await eventually(async () => {
      const stored = (await api.get(`/events?sourceId=${source.id}`)).body as { messageId: string }[];
      expect(stored.map(({ messageId }) => messageId)).toEqual(['still-wrong', 'mended']);
    });
  });

  it('are exported and erased with the person, and dropped of somebody who is suppressed', async () => {
    const source = await sources.make('quarantine');
    const privacy = await anApiClient(service, ['cdp:privacy']);
    await sources.send(source, [anOrder('e-1', {})]);
    await eventually(async () => expect(await sources.quarantined(source)).toHaveLength(1));
    const exported = await privacy.get<string>('/profiles/u-e-1/export');
    expect(exported.body).toContain('"kind":"quarantined_event"');
    expect(await privacy.delete('/profiles/u-e-1?suppress=true')).toMatchObject({
      status: 200,
      body: { deleted: { events: 0, identities: 0, others: 1 } },
    });
    expect(await sources.quarantined(source)).toEqual([]);
    await sources.send(source, [anOrder('e-1', {}), anOrder('e-2', {})]);
    await eventually(async () => {
      expect((await sources.quarantined(source)).map(({ messageId }) => messageId)).toEqual(['e-2']);
    });
  });

  it('are those of a user whose browser somebody used who is suppressed', async () => {
    const source = await sources.make('quarantine');
    const privacy = await anApiClient(service, ['cdp:privacy']);
    const shared = (messageId: string): object => ({
      ...anOrder(messageId, {}),
      anonymousId: 'shared-browser',
    });
    await sources.send(source, [{ ...shared('s-1'), properties: { total: 1 } }]);
    await eventually(async () => expect((await api.get('/profiles/u-s-1')).status).toBe(200));
    expect((await privacy.delete('/profiles/u-s-1?suppress=true')).status).toBe(200);
    // What comes within a second of an erasure may have come before it, by another clock.
    let sent = 1;
    await eventually(async () => {
      sent += 1;
      await sources.send(source, [shared(`s-${sent}`)]);
      expect(await sources.quarantined(source)).not.toEqual([]);
    });
  });
});
