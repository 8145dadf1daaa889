import type { Job } from 'bullmq';
import { DeadLetterQueue } from '../../src/delivery/dead-letters/dead-letter-queue';
import { DeliveryHousekeeping } from '../../src/delivery/upkeep/delivery-housekeeping';
import { EventStore } from '../../src/events/event-store';
import { InboxSweeper } from '../../src/ingestion/processing/inbox-sweeper';
import { newRowId } from '../../src/platform/database/connections/database-clock';
import { Database } from '../../src/platform/database/database';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { anyEvent, asStorable } from '../support/any-event';
import { aSource } from '../support/a-source';
import { anApiClient, type AnyBody, type ApiAnswer, ApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

describe.each(queueKinds())('profiles on %s queues', (queue) => {
  let service: TestService;
  let events: ApiClient;
  let api: ApiClient;
  let messages = 0;

  beforeAll(async () => {
    service = await startTestService({ queue });
    const { writeKey } = await aSource(service.databaseUrl);
    events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  async function send(...batch: Record<string, unknown>[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const answer = await events.post('/v1/batch', {
      batch: batch.map((event) => ({ timestamp, messageId: `m-${(messages += 1)}`, ...event })),
    });
    expect(answer).toMatchObject({ status: 200 });
  }

  it('answers the unified profile of a user who was anonymous before', async () => {
    const at = '2026-11-20T10:00:00.000Z';
    await send({ type: 'track', event: 'Visited', anonymousId: 'anon-1', timestamp: at });
    await send({ type: 'identify', userId: 'user-1', anonymousId: 'anon-1', traits: { plan: 'pro' } });
    await send({ type: 'track', event: 'Bought', userId: 'user-1', properties: { price: 10 } });
    const { body } = await eventually(async () => {
      const answer = await api.get('/profiles/user-1');
      expect(answer.body).toMatchObject({ eventCount: 3 });
      return answer;
    });
    expect(body).toMatchObject({
      userId: 'user-1',
      traits: { plan: 'pro' },
      anonymousIds: ['anon-1'],
      groups: [],
      segments: [],
      firstSeenAt: at,
    });
    expect(body.events).toHaveLength(3);
    expect(body.events.at(-1)).toMatchObject({
      type: 'track',
      event: 'Visited',
      timestamp: at,
      properties: {},
    });
  });

  it('answers a group with its traits and, page by page, the users in it', async () => {
    const groupId = 'group/1';
    await send(
      {
        type: 'group',
        groupId,
        anonymousId: 'in-group',
        traits: { name: 'Acme', plan: 'free' },
        timestamp: '2026-11-20',
      },
      ...['c', 'a', 'b'].map((name) => ({ type: 'group', groupId, userId: `in-group-${name}` })),
      { type: 'group', groupId, userId: 'in-group-a', traits: { plan: 'pro' } },
      { type: 'group', groupId: 'another', userId: 'in-group-d', traits: {} },
    );
    const path = `/groups/${encodeURIComponent(groupId)}`;
    const members = ['in-group-a', 'in-group-b', 'in-group-c'];
    const whole = await eventually(async () => {
      const answer = await api.get(path);
      expect(answer.body).toEqual({ groupId, traits: { name: 'Acme', plan: 'pro' }, members });
      return answer;
    });
    expect(whole.headers.get('link')).toBeNull();
    const first = await api.get(`${path}?limit=2`);
    expect(first.body.members).toEqual(members.slice(0, 2));
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await api.get(next);
    expect(second.body).toMatchObject({ groupId, members: members.slice(2) });
    expect(second.headers.get('link')).toBeNull();
    for (const missing of ['/groups/none', '/groups/%00']) {
      expect(await api.get(missing)).toMatchObject({ status: 404, body: { code: 'group_not_found' } });
    }
    expect((await api.get(`${path}?limit=0`)).status).toBe(400);
    expect((await api.get(`${path}?cursor=none`)).status).toBe(400);
  });

  it('tells the ids of a person apart by what events bear them as', async () => {
    await send(
      { type: 'track', event: 'Visited', anonymousId: 'apart-visitor' },
      { type: 'identify', userId: 'apart-old' },
      { type: 'alias', userId: 'apart', previousId: 'apart-visitor' },
      { type: 'alias', userId: 'apart', previousId: 'apart-old' },
      { type: 'alias', userId: 'apart', previousId: 'apart-unseen' },
    );
    await eventually(async () =>
      expect((await api.get('/profiles/apart')).body).toMatchObject({
        userId: 'apart',
        mergedUserIds: ['apart-old', 'apart-unseen'],
        anonymousIds: ['apart-visitor'],
      }),
    );
    await send({ type: 'identify', userId: 'apart', anonymousId: 'apart-unseen' });
    await eventually(async () =>
      expect((await api.get('/profiles/apart')).body).toMatchObject({
        mergedUserIds: ['apart-old'],
        anonymousIds: ['apart-unseen', 'apart-visitor'],
      }),
    );
    expect((await api.get('/profiles/apart-unseen')).body).toMatchObject({ userId: 'apart' });
  });

  it('keeps what was said last, of the same millisecond and in requests that were under way for longer', async () => {
    const at = new Date();
    const said = (userId: string, plan: string, ms = 0) => ({
      type: 'identify',
      userId,
      traits: { plan },
      messageId: `said-${userId}-${plan}`,
      timestamp: new Date(at.getTime() + ms).toISOString(),
    });
    const plans = ['c', 'b', 'a'];
    await send(...plans.map((plan) => said('said-at-once', plan)));
    for (const [ms, plan] of [...plans.entries()].toReversed()) {
      // The earlier it was said, the longer it is under way.
      const sentAt = new Date(Date.now() - 100 * (plans.length - ms)).toISOString();
      await events.post('/v1/batch', { sentAt, batch: [said('said-in-turn', plan, ms)] });
    }
    await eventually(async () => {
      for (const userId of ['said-at-once', 'said-in-turn'])
        expect((await api.get(`/profiles/${userId}`)).body).toMatchObject({
          eventCount: 3,
          traits: { plan: 'a' },
        });
    });
  });

  it('tells which event set each trait, and which one linked each id', async () => {
    const at = '2026-11-20T10:00:00.000Z';
    const long = `o-long-${'x'.repeat(100)}`;
    await send(
      { type: 'track', event: 'Visited', anonymousId: 'origin-visitor', messageId: 'o-1' },
      {
        type: 'identify',
        userId: 'origin',
        traits: { plan: 'free', name: 'Ada' },
        timestamp: at,
        messageId: long,
      },
      {
        type: 'identify',
        userId: 'origin-old',
        traits: { city: 'Riga', gone: null },
        timestamp: at,
        messageId: 'o-3',
      },
    );
    await send(
      { type: 'track', event: 'Seen', userId: 'origin', anonymousId: 'origin-visitor', messageId: 'o-4' },
      { type: 'track', event: 'Seen', userId: 'origin', anonymousId: 'origin-visitor', messageId: 'o-5' },
      {
        type: 'track',
        event: 'Paid',
        userId: 'origin',
        context: { traits: { plan: 'pro' } },
        messageId: 'o-6',
      },
      { type: 'alias', userId: 'origin', previousId: 'origin-old', messageId: 'o-7' },
    );
    const { events: stored } = await eventually(async () => {
      const profile = (await api.get('/profiles/origin')).body;
      expect(profile).toMatchObject({ eventCount: 7 });
      return profile;
    });
    const idOf = (messageId: string): string =>
      stored.find((event: { messageId: string }) => event.messageId === messageId).id;
    const { status, body } = await api.get('/profiles/origin-old/origins');
    expect(status).toBe(200);
    const byTrait = new Map(body.traits.map((one: { trait: string }) => [one.trait, one]));
    expect(new Set(byTrait.keys())).toEqual(new Set(['city', 'name', 'plan']));
    expect(byTrait.get('name')).toMatchObject({
      setAt: at,
      event: { id: idOf(long), type: 'identify' },
    });
    expect(byTrait.get('city')).toMatchObject({ setAt: at, event: { id: idOf('o-3'), timestamp: at } });
    expect(byTrait.get('plan')).toMatchObject({ event: { id: idOf('o-6'), name: 'Paid' } });
    expect(body.ids).toMatchObject([
      { kind: 'userId', id: 'origin-old', event: { id: idOf('o-7'), type: 'alias' } },
      { kind: 'anonymousId', id: 'origin-visitor', event: { id: idOf('o-4'), name: 'Seen' } },
    ]);
    expect((await api.get('/profiles/origin-visitor/origins?by=anonymousId')).body).toEqual(body);
    expect(await api.get('/profiles/origin-nobody/origins')).toMatchObject({
      status: 404,
      body: { code: 'profile_not_found' },
    });
  });

  it('knows the time at which a trait was set when its event is not stored any more', async () => {
    const at = '2026-11-20T11:00:00.000Z';
    await send({
      type: 'identify',
      userId: 'origin-lost',
      anonymousId: 'origin-lost-visitor',
      traits: { plan: 'pro' },
      timestamp: at,
    });
    await eventually(async () => expect((await api.get('/profiles/origin-lost')).status).toBe(200));
    await service.app.get(Database).query(`delete from event where subject = 'u:origin-lost'`);
    expect((await api.get('/profiles/origin-lost/origins')).body).toEqual({
      traits: [{ trait: 'plan', setAt: at, event: null }],
      ids: [{ kind: 'anonymousId', id: 'origin-lost-visitor', event: null }],
    });
  });

  it('finds a person by any anonymous id that was ever linked, whoever the user was then', async () => {
    await send(
      { type: 'track', event: 'Visited', anonymousId: 'phone' },
      { type: 'identify', userId: 'linked-before', anonymousId: 'phone', traits: { plan: 'pro' } },
      { type: 'page', name: 'Home', userId: 'linked-before', anonymousId: 'tablet' },
      { type: 'alias', userId: 'linked-now', previousId: 'linked-before' },
      { type: 'track', event: 'Visited', anonymousId: 'laptop' },
      { type: 'alias', userId: 'linked-now', previousId: 'laptop' },
    );
    const found = async (query: string): Promise<unknown[]> =>
      (await api.get<{ userId: string }[]>(`/profiles?${query}`)).body.map(({ userId }) => userId);
    for (const anonymousId of ['phone', 'tablet', 'laptop']) {
      await eventually(async () => expect(await found(`anonymousId=${anonymousId}`)).toEqual(['linked-now']));
      expect(await found(`anonymousId=${anonymousId}&prefix=linked&trait=plan:pro`)).toEqual(['linked-now']);
      expect(await found(`anonymousId=${anonymousId}&trait=plan:free`)).toEqual([]);
    }
    expect(await found('anonymousId=nobody')).toEqual([]);
    expect((await api.get('/profiles/linked-before')).body).toMatchObject({
      userId: 'linked-now',
      mergedUserIds: expect.arrayContaining(['linked-before']),
      anonymousIds: expect.arrayContaining(['phone', 'tablet', 'laptop']),
    });
  });

  it.each(['nobody', 'a%00b', 'a%00b?by=anonymousId', 'a%00b/origins'])(
    'answers 404 for somebody without events: %s',
    async (path) => {
      expect(await api.get(`/profiles/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'profile_not_found' },
      });
    },
  );

  it.each(['with/slash', 'percent%2Fescape', 'ünïcödé 日本語', '…'.repeat(512), 'a+b?c#d&e'])(
    'finds the user %s',
    async (userId) => {
      await send({ type: 'identify', userId, traits: { known: true } });
      await eventually(async () => {
        const answer = await api.get(`/profiles/${encodeURIComponent(userId)}`);
        expect(answer.body).toMatchObject({ userId, traits: { known: true } });
      });
    },
  );

  it('finds events whose job was lost', async () => {
    const event = anyEvent({ userId: 'forgotten' });
    await service.app.get(EventStore).store([asStorable(event)]);
    await service.app.get(InboxSweeper, { strict: false }).sweep(0);
    await eventually(async () => expect(await api.get('/profiles/forgotten')).toMatchObject({ status: 200 }));
  });

  it('processes events whose job is there but does not run', async () => {
    const { inboxId = '' } = await service.app
      .get(EventStore)
      .store([asStorable(anyEvent({ userId: 'held-up' }))]);
    // Stands for a job that a worker had when it was killed: its id is taken.
    const stuck = await service.app
      .get(JobDispatcher)
      .queue('events')
      .add('stuck', { inboxIds: [inboxId] }, { jobId: inboxId, delay: 3_600_000 });
    await service.app
      .get(Database)
      .query(`update inbox set created_at = created_at - interval '10 s' where id = $1`, [inboxId]);
    await eventually(async () => expect(await api.get('/profiles/held-up')).toMatchObject({ status: 200 }));
    await stuck.remove();
  });

  it('shows an event that cannot be processed in the dead-letter queue, and processes it when retried', async () => {
    const database = service.app.get(Database);
    await database.query(`
      create or replace function refuse() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '22000'; end $$;
      create trigger refuse before insert on profile for each row when (new.subject = 'u:poison')
        execute function refuse()`);
    await send(
      { type: 'track', event: 'Bad', userId: 'poison' },
      { type: 'track', event: 'Good', userId: 'good' },
    );
    await eventually(async () => expect(await api.get('/profiles/good')).toMatchObject({ status: 200 }));
    const deadLetters = service.app.get(JobDispatcher).queue('dead-letters');
    const letter = await eventually(async () => {
      const [job] = await deadLetters.getFailed();
      expect(job?.failedReason).toContain('refused');
      return job!;
    });
    await database.query('drop trigger refuse on profile');
    await letter.retry();
    await eventually(
      async () => expect(await api.get('/profiles/poison')).toMatchObject({ status: 200 }),
      25_000,
    );
  });

  it('shows a dead event again when it dies again or its job is lost, until it is dead no more', async () => {
    const database = service.app.get(Database);
    await database.query(`
      create or replace function refuse() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '22000'; end $$;
      create trigger refuse before insert on profile for each row when (new.subject like 'u:fatal-%')
        execute function refuse()`);
    const deadLetters = service.app.get(JobDispatcher).queue('dead-letters');
    const letters = (): Promise<Job[]> =>
      eventually(async () => {
        const jobs = await deadLetters.getFailed();
        expect(jobs).toHaveLength(2);
        return jobs;
      }, 25_000);
    await send({ type: 'identify', userId: 'fatal-1' }, { type: 'identify', userId: 'fatal-2' });
    const [first] = await letters();
    await first!.retry();
    // Done with, or gone already where the queue was compared meanwhile: another one shows the event.
    await eventually(
      async () => expect((await letters()).map(({ id }) => id)).not.toContain(first!.id),
      25_000,
    );

    await deadLetters.obliterate({ force: true });
    await service.app.get(DeliveryHousekeeping, { strict: false }).tidy();
    const [one] = await letters();

    // As newer letters push it out.
    await one!.remove();
    const queue = service.app.get(DeadLetterQueue, { strict: false });
    await queue.agree(Date.now());
    await letters();

    await database.query('delete from dead_event; drop trigger refuse on profile');
    await queue.agree(Date.now());
    expect(await deadLetters.getFailed()).toEqual([]);
  });

  it('answers the events asked for, page by page', async () => {
    const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
    const userId = 'pages';
    await send(
      ...Array.from({ length: 5 }, (_, i) => ({ type: 'track', event: `e${i}`, userId, timestamp: at(i) })),
      { type: 'identify', userId, anonymousId: 'pages-anon', timestamp: at(5) },
      { type: 'page', anonymousId: 'pages-anon', name: 'Home', timestamp: at(6) },
    );
    const path = `/profiles/${userId}`;
    const names = (body: { events: { event: string }[] }): string[] => body.events.map(({ event }) => event);
    await eventually(async () => expect((await api.get(path)).body).toMatchObject({ eventCount: 7 }));
    const all = ['Home', 'identify', 'e4', 'e3', 'e2', 'e1', 'e0'];
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await api.get(`${path}?limit=3${cursor}`);
      seen.push(...names(body));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(all);
    const get = async (query: string): Promise<string[]> => names((await api.get(`${path}?${query}`)).body);
    expect(await get(`from=${at(2)}&to=${at(4)}`)).toEqual(['e3', 'e2']);
    expect(await get('type=identify')).toEqual(['identify']);
    expect(await get('event=Home')).toEqual(['Home']);
    expect(await get('event=e2&type=page')).toEqual([]);
    expect(await get('from=2026-11-20T12:02:00%2B02:00&to=2026-11-20T10:03')).toEqual(['e2']);
  });

  const cursorOf = (text: string): string => `cursor=${Buffer.from(text).toString('base64url')}`;
  const listCursor = ['cursor=', 'cursor=broken', 'cursor=%00', cursorOf('after:a\0')];
  const eventCursor = [
    'cursor=',
    'cursor=x',
    cursorOf('2026 00000000-0000-0000-0000-000000000000'),
    cursorOf('2026-02-30T00:00:00.000Z 00000000-0000-0000-0000-000000000000'),
  ];
  const limits = ['limit=0', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=1001', 'limit=', 'limit=1&limit=2'];
  const times = ['yesterday', '2026', '2026-W47', '2026-324', '0000-01-01', '2026-02-30', '2026-11-20T25:00'];
  it.each([
    ['', [...limits, ...listCursor, 'prefix=%00', 'prefix=a&prefix=b', 'trait=nocolon', 'unknown=1']],
    ['/pages', [...limits, ...eventCursor, 'type=nope', 'event=%00', 'unknown=1']],
    ['/pages', times.flatMap((time) => [`from=${time}`, `to=${time}`])],
  ])('answers 400 that names the parameter of /profiles%s', async (path, queries) => {
    for (const query of queries) {
      const { status, body } = await api.get(`/profiles${path}?${query}`);
      const [name] = query.split('=');
      expect([query, status, body.code, body.errors[0]?.path]).toEqual([query, 400, 'invalid_request', name]);
    }
  });

  it('lists profiles by prefix and trait, page by page', async () => {
    const people = ['ada', 'adb', 'adc', 'b%_', 'b'].map((name, i) => ({
      name,
      plan: i % 2 === 0 ? 'pro' : 'free',
    }));
    await send(
      ...people.map(({ name, plan }, seats) => ({
        type: 'identify',
        userId: `list-${name}`,
        traits: { plan, seats, 'with:colon': true },
      })),
      { type: 'track', event: 'x', anonymousId: 'list-ada-anon' },
    );
    const list = async (query: string): Promise<string[]> =>
      (await api.get(`/profiles?${query}`)).body.map(({ userId }: { userId: string }) => userId.slice(5));
    await eventually(async () => expect(await list('prefix=list-')).toHaveLength(5));
    expect(await list('prefix=list-')).toEqual(['ada', 'adb', 'adc', 'b', 'b%_']);
    expect(await list('prefix=list-ad')).toEqual(['ada', 'adb', 'adc']);
    expect(await list('prefix=list-b%25')).toEqual(['b%_']);
    expect(await list('prefix=list-&trait=plan:free')).toEqual(['adb', 'b%_']);
    expect(await list('prefix=list-&trait=plan:free&trait=seats:1')).toEqual(['adb']);
    expect(await list('trait=plan:none')).toEqual([]);
    const first = await api.get('/profiles?prefix=list-&limit=2');
    expect(first.body).toHaveLength(2);
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await api.get(next);
    expect(second.body.map(({ userId }: { userId: string }) => userId)).toEqual(['list-adc', 'list-b']);
  });

  it('answers large profiles, and large events, by pages of some megabytes, each once', async () => {
    const database = service.app.get(Database);
    await database.query(
      `insert into profile (subject, event_count, traits)
       select 'u:large-' || n, 1, jsonb_build_object('text', repeat('x', 500000)) from generate_series(10, 29) n`,
    );
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:large-10', $2::text::timestamptz, id, gen_random_uuid(), 'track', 'Large', json_build_object('type', 'track',
         'event', 'Large', 'messageId', id, 'timestamp', $2::text, 'properties', json_build_object('text', repeat('x', 500000)))
       from unnest($1::uuid[]) as id`,
      [Array.from({ length: 20 }, () => newRowId()), new Date().toISOString()],
    );
    const people: string[] = [];
    let pages = 0;
    for (let next: string | undefined = '/profiles?prefix=large-&limit=100'; next !== undefined; pages += 1) {
      const { body, headers }: ApiAnswer<AnyBody> = await api.get(next);
      people.push(...body.map(({ userId }: { userId: string }) => userId));
      next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(people).toEqual(Array.from({ length: 20 }, (_, n) => `large-${n + 10}`));
    const events: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const asked: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body }: ApiAnswer<AnyBody> = await api.get(`/profiles/large-10?limit=100${asked}`);
      events.push(...body.events.map(({ messageId }: { messageId: string }) => messageId));
      cursor = body.nextCursor;
    }
    expect([new Set(events).size, events.length]).toEqual([20, 20]);
    expect(pages).toBe(6);
  });
});
