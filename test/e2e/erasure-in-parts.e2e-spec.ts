import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { BulkEraser } from '../../src/privacy/bulk-eraser';
import { TooMuchHeldError } from '../../src/privacy/in-parts';
import { aSource } from '../support/a-source';
import { anApiClient, ApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

/** More than the last transaction of an erasure deletes, and more than one part. */
const MANY = 6_000;

/** Somebody of whom more is held than one transaction deletes. */
describe('erasing a person in parts', () => {
  let service: TestService;
  let api: ApiClient;
  let events: ApiClient;
  let destinationId: string;
  const database = (): Database => service.app.get(Database);

  beforeAll(async () => {
    service = await startTestService();
    const { writeKey } = await aSource(service.databaseUrl);
    events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    api = await anApiClient(service);
    const destination = { name: 'one', type: 'webhook', config: { url: 'https://receiver.example/' } };
    destinationId = (await api.post<{ id: string }>('/destinations', destination)).body.id;
    await api.post(`/destinations/${destinationId}/pause`);
  });
  afterAll(() => service.close());

  async function send(userId: string, event = 'Seen'): Promise<void> {
    const answer = await events.post('/v1/track', { userId, event, messageId: randomUUID() });
    expect(answer.status).toBe(200);
  }

  async function sendAndAwait(userId: string): Promise<void> {
    const before = await countOf('event', userId);
    await send(userId);
    await eventually(async () => {
      expect(await countOf('event', userId)).toBe(before + 1);
      expect(await database().query('select from inbox')).toEqual([]);
    });
  }

  /** With as many events, and a delivery of each. */
  async function aBusyPerson(userId: string): Promise<void> {
    await sendAndAwait(userId);
    const subject = `u:${userId}`;
    await database().query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select subject, "timestamp" - n * interval '1 second', (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, source_id,
         type, name, payload
       from event, generate_series(1, ${MANY}) as n where subject = $1`,
      [subject],
    );
    await database().query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, state, due_at)
       select (left(id::text, 14) || '7fff-8' || right(md5(id::text), 3) || '-' || left(md5(id::text), 12))::uuid, $2, subject,
         "timestamp", id, type, 'delivered', now()
       from event where subject = $1`,
      [subject, destinationId],
    );
  }

  async function countOf(table: 'event' | 'delivery' | 'profile', userId: string): Promise<number> {
    const rows = await database().query(`select from ${table} where subject = $1`, [`u:${userId}`]);
    return rows.length;
  }

  async function expectNothingOf(userId: string): Promise<void> {
    for (const table of ['event', 'delivery', 'profile'] as const)
      expect([table, await countOf(table, userId)]).toEqual([table, 0]);
    expect(await database().query('select from erasure')).toEqual([]);
  }

  /** Holds an erasure up: where nothing else is locked at an event, so that this is between two parts. */
  async function holdUp(
    userId: string,
    lockSql = `select from event where subject = 'u:${userId}' order by "timestamp" desc limit 1 for update`,
  ): Promise<() => Promise<void>> {
    const blocker = await database().pool.connect();
    await blocker.query('begin');
    await blocker.query(lockSql);
    return async () => {
      await blocker.query('rollback');
      blocker.release();
    };
  }

  /** Until so many are held up. */
  async function untilWaiting(count: number): Promise<void> {
    const waitingSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => expect(await database().query(waitingSql)).toHaveLength(count));
  }

  /** An erasure whose process is gone. */
  async function leave(userId: string): Promise<void> {
    await database().query(
      `insert into erasure (subject, suppress, actor, stepped_at) values ($1, false, '{}', now() - interval '1 minute')`,
      [`u:${userId}`],
    );
  }

  /** As the audit has them. */
  async function receiptsOf(pseudonym: string): Promise<string[]> {
    const path = `/audit?resource=profile&resourceId=${pseudonym}`;
    const { body } = await api.get<{ after: { receiptId: string } }[]>(path);
    return body.map(({ after }) => after.receiptId);
  }

  it('says how many there were in all', async () => {
    await aBusyPerson('counted');
    expect(await api.delete('/profiles/counted')).toMatchObject({
      status: 200,
      body: { deleted: { events: MANY + 1, deliveries: MANY + 2, identities: 1 } },
    });
    await expectNothingOf('counted');
  });

  it('is one erasure for two who ask at once, with one receipt', async () => {
    await aBusyPerson('asked-twice');
    const goOn = await holdUp('asked-twice');
    const deletions = [api.delete('/profiles/asked-twice'), api.delete('/profiles/asked-twice')];
    await untilWaiting(2);
    await goOn();
    const [first, second] = await Promise.all(deletions);
    expect(first).toMatchObject({
      status: 200,
      body: { deleted: { events: MANY + 1, deliveries: MANY + 2 } },
    });
    expect([second?.status, second?.body]).toEqual([200, first?.body]);
    expect(await receiptsOf(first?.body.pseudonym)).toEqual([first?.body.receiptId]);
    await expectNothingOf('asked-twice');
  });

  it('takes what comes between the parts, lets others pass, and makes a new profile of what comes after', async () => {
    await aBusyPerson('talkative');
    const goOn = await holdUp('talkative');
    const deletion = api.delete('/profiles/talkative');
    await eventually(async () =>
      expect(await database().query('select from erasure where events > 0')).toHaveLength(1),
    );
    await sendAndAwait('talkative');
    await sendAndAwait('somebody-else');
    // No lock of all is held meanwhile: segments are computed, and other people erased.
    expect(await api.post('/segments', { name: 'Meanwhile', rules: [] })).toMatchObject({
      status: 201,
      body: { state: 'live' },
    });
    expect(await api.delete('/profiles/somebody-else')).toMatchObject({ status: 200 });
    await goOn();
    expect(await deletion).toMatchObject({ status: 200, body: { deleted: { events: MANY + 2 } } });
    await expectNothingOf('talkative');
    expect(await database().query(`select from segment_member where subject = 'u:talkative'`)).toEqual([]);

    await sendAndAwait('talkative');
    await eventually(async () =>
      expect(await api.get('/profiles/talkative')).toMatchObject({ status: 200, body: { eventCount: 1 } }),
    );
  });

  it.each([false, true])('goes on where another process was cut off (suppress: %j)', async (suppress) => {
    const userId = `left-${suppress}`;
    await aBusyPerson(userId);
    const actor = { subject: 'the-officer', kind: 'client', issuer: null, requestId: 'some-request' };
    await database().query(
      `insert into erasure (subject, suppress, actor, deliveries, events, stepped_at)
       values ($1, $2, $3, 7, 5, now() - interval '1 minute')`,
      [`u:${userId}`, suppress, JSON.stringify(actor)],
    );
    await eventually(() => expectNothingOf(userId), 20_000);
    const { body: entries } = await api.get<object[]>('/audit?resource=profile&limit=1');
    expect(entries).toMatchObject([
      {
        action: 'erase',
        actor: 'the-officer',
        after: { suppressed: suppress, deleted: { events: MANY + 1 + 5, deliveries: MANY + 2 + 7 } },
      },
    ]);
    await send(userId, 'Returned');
    await sendAndAwait('witness');
    expect(await countOf('profile', userId)).toBe(suppress ? 0 : 1);
  });

  it('answers that it goes on where too much comes in every round', async () => {
    await sendAndAwait('never-quiet');
    const bulk = service.app.get(BulkEraser, { strict: false });
    const parts = jest.spyOn(bulk, 'eraseParts').mockResolvedValue();
    const last = jest.spyOn(bulk, 'demandLittle').mockRejectedValue(new TooMuchHeldError());
    const answer = await api.delete('/profiles/never-quiet');
    parts.mockRestore();
    last.mockRestore();
    expect(answer).toMatchObject({ status: 503, body: { code: 'erasure_goes_on' } });
    expect(answer.headers.get('retry-after')).toBe('30');
    await database().query(`update erasure set stepped_at = now() - interval '1 minute'`);
    await eventually(() => expectNothingOf('never-quiet'));
  });

  it('is ended once where another process takes it for left while its last transaction waits', async () => {
    const config = { url: 'https://receiver.example/' };
    const asked = { name: 'told', type: 'webhook', config, filter: { types: [] }, notices: ['delete'] };
    const { body: told } = await api.post<{ id: string }>('/destinations', asked);
    await api.post(`/destinations/${told.id}/pause`);
    await aBusyPerson('slow');
    const goOn = await holdUp('slow', `select from profile where subject = 'u:slow' for update`);
    const deletion = api.delete('/profiles/slow?suppress=true');
    await untilWaiting(1);
    await database().query(`update erasure set stepped_at = now() - interval '1 minute'`);
    await untilWaiting(2);
    await goOn();
    expect(await deletion).toMatchObject({ status: 200, body: { deleted: { events: MANY + 1 } } });
    // The next one is taken once the other process is done with this one.
    await leave('next');
    await eventually(() => expectNothingOf('next'));
    const { body: receipt } = await deletion;
    expect(await receiptsOf(receipt.pseudonym)).toEqual([receipt.receiptId]);
    const notices = await database().query(`select from delivery where destination_id = $1`, [told.id]);
    expect(notices).toHaveLength(1);
    await api.delete(`/destinations/${told.id}`);
  });

  it('answers no receipt of an earlier deletion when its note is gone and nobody has written one', async () => {
    await sendAndAwait('earlier');
    expect(await api.delete('/profiles/earlier')).toMatchObject({ status: 200 });
    await aBusyPerson('earlier');
    const goOn = await holdUp('earlier');
    const deletion = api.delete('/profiles/earlier');
    await untilWaiting(1);
    // As somebody does who finds nothing.
    await database().query('delete from erasure');
    await goOn();
    expect(await deletion).toMatchObject({ status: 404, body: { code: 'profile_not_found' } });
    await api.delete('/profiles/earlier');
  });

  it('is gone on with by whoever asks again', async () => {
    await aBusyPerson('asked-again');
    await database().query(
      `insert into erasure (subject, suppress, actor, events) values ('u:asked-again', true, '{}', 5)`,
    );
    expect(await api.delete('/profiles/asked-again')).toMatchObject({
      status: 200,
      body: { suppressed: true, deleted: { events: MANY + 1 + 5 } },
    });
    await expectNothingOf('asked-again');
  });

  it('is forgotten where somebody else has erased the person meanwhile', async () => {
    await leave('nobody');
    await eventually(() => expectNothingOf('nobody'), 20_000);
  });
});
