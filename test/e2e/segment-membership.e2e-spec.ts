import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../src/events/customer-event';
import { Database, type Tx } from '../../src/platform/database/database';
import { factColumnsSql, factsOf } from '../../src/profiles/state/profile-row';
import type { TouchedProfile } from '../../src/profiles/touched-profile';
import { Membership } from '../../src/segments/membership/membership';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import { type RuleNode } from '../../src/segments/rules/rule';
import { OPERATORS } from '../../src/language/operators';
import { aSource } from '../support/a-source';
import { type ApiClient, anApiClient, ApiClient as Client } from '../support/api-client';
import { eventually } from '../support/eventually';
import { oracle, VALUES } from '../support/rule-oracle';
import { startTestService, type TestService } from '../support/test-service';

const PRO: RuleNode = { field: 'plan', operator: 'eq', value: 'pro' };

describe('membership of segments', () => {
  let service: TestService;
  let api: ApiClient;
  let events: ApiClient;
  let database: Database;
  let messages = 0;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
    const { writeKey } = await aSource(service.databaseUrl);
    events = new Client(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    database = service.app.get(Database);
  });
  afterAll(() => service.close());

  async function send(...batch: Record<string, unknown>[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const answer = await events.post('/v1/batch', {
      batch: batch.map((event) => ({ timestamp, messageId: `m-${(messages += 1)}`, ...event })),
    });
    expect(answer).toMatchObject({ status: 200 });
  }

  async function identify(userId: string, traits: Record<string, unknown>): Promise<void> {
    await send({ type: 'identify', userId, traits });
  }

  async function createSegment(rules: RuleNode[], more: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await api.post('/segments', { name: `Segment ${randomUUID()}`, rules, ...more });
    expect(status).toBe(201);
    return body.id;
  }

  async function members(segmentId: string): Promise<string[]> {
    return (await api.get(`/segments/${segmentId}/members`)).body;
  }

  async function untilLive(segmentId: string): Promise<void> {
    await eventually(async () =>
      expect((await api.get(`/segments/${segmentId}`)).body).toMatchObject({ state: 'live' }),
    );
  }

  async function untilProcessed(): Promise<void> {
    await eventually(async () => expect(await database.query('select 1 from inbox')).toEqual([]), 60_000);
  }

  it('follows events: people enter and leave, new ones too', async () => {
    const pro = await createSegment([PRO]);
    const notPro = await createSegment([{ ...PRO, operator: 'neq' }]);
    const busy = await createSegment([{ field: 'event_count', operator: 'gte', value: 3 }]);
    await identify('follow-1', { plan: 'pro' });
    await send({ type: 'track', event: 'Visit', userId: 'follow-2' });
    await eventually(async () => {
      expect(await members(pro)).toEqual(['follow-1']);
      expect(await members(notPro)).toEqual(['follow-2']);
    });
    await identify('follow-1', { plan: 'free' });
    await send({ type: 'track', event: 'Visit', userId: 'follow-2' });
    await send({ type: 'track', event: 'Visit', userId: 'follow-2' });
    await eventually(async () => {
      expect(await members(pro)).toEqual([]);
      expect(await members(notPro)).toEqual(['follow-1', 'follow-2']);
      expect(await members(busy)).toEqual(['follow-2']);
    });
  });

  it('follows an event that concerns more segments than are looked up one by one', async () => {
    const levels = Array.from({ length: 60 }, (_, level) => level);
    const segments: string[] = [];
    for (const level of levels) {
      segments.push(await createSegment([{ field: 'level', operator: 'gt', value: level }]));
    }
    await identify('level-1', { level: 30 });
    await identify('level-2', { level: 60 });
    await eventually(async () => expect(await members(String(segments[59]))).toEqual(['level-2']));
    await identify('level-1', { level: 50 });
    await identify('level-2', { level: 0 });
    await eventually(async () => expect(await members(String(segments[0]))).toEqual(['level-1']));
    const found = await Promise.all(segments.map((segment) => members(segment)));
    expect(found).toEqual(levels.map((level) => (level < 50 ? ['level-1'] : [])));
  });

  it('counts events of a type, whatever their names, visitors who become users and years-old days included', async () => {
    const times: Partial<RuleNode> = { field: 'event_count', operator: 'eq' };
    const visits = await createSegment([{ ...times, type: 'page', value: 4 } as RuleNode]);
    const lately = await createSegment([{ ...times, type: 'page', within: '14d', value: 3 } as RuleNode]);
    const home = await createSegment([{ ...times, type: 'page', event: 'Home', value: 2 } as RuleNode]);
    const named = await createSegment([{ ...times, event: 'page', value: 2 } as RuleNode]);
    const tracks = await createSegment([{ ...times, type: 'track', value: 2 } as RuleNode]);
    const userId = 'type-1';
    const anonymousId = 'type-anon';
    await send(
      { type: 'page', name: 'Home', anonymousId },
      { type: 'track', event: 'Home', anonymousId },
      { type: 'page', userId },
    );
    await send(
      { type: 'page', name: 'Home', userId },
      { type: 'page', name: 'Old', userId, timestamp: '2020-01-31' },
      { type: 'track', event: 'page', userId },
      { type: 'screen', name: 'Home', userId },
      { type: 'identify', userId, anonymousId, traits: {} },
    );
    const computed = async (rule: Record<string, unknown>): Promise<number> =>
      (
        await api.post('/segments/preview', {
          rules: [
            { ...times, ...rule },
            { field: 'last_seen', operator: 'gt', value: '1h' },
            { field: 'event_count', operator: 'eq', value: 8 },
          ],
        })
      ).body.count;
    await eventually(async () => {
      for (const segment of [visits, lately, home, named, tracks]) {
        expect(await members(segment)).toEqual([userId]);
      }
    });
    expect(await computed({ type: 'page', value: 4 })).toBe(1);
    expect(await computed({ type: 'page', within: '14d', value: 3 })).toBe(1);
    expect(await computed({ type: 'screen', event: 'Home', value: 1 })).toBe(1);
    expect(await computed({ type: 'identify', within: '1d', value: 1 })).toBe(1);
    expect(await computed({ type: 'group', value: 0 })).toBe(1);
    const { body } = await api.get(`/segments/${visits}/explain/${userId}`);
    expect(body.rules[0]).toMatchObject({ seen: 4, verdict: true });
    expect(
      (await api.post('/segments/preview', { rules: [{ ...times, type: 'visit', value: 1 }] })).body.errors,
    ).toMatchObject([{ path: 'rules[0].type', code: 'invalid_type' }]);
  });

  describe('of a segment that asks about a trait of groups', () => {
    const group = (
      userId: string | undefined,
      groupId: string,
      traits?: object,
    ): Record<string, unknown> => ({
      type: 'group',
      groupId,
      ...(userId === undefined ? { anonymousId: 'somebody else' } : { userId }),
      ...(traits === undefined ? {} : { traits }),
    });

    it('follows the groups of people and the traits of their groups, in either order', async () => {
      const paid: RuleNode = { field: 'groups.plan', operator: 'in', value: ['pro', 'team'] };
      const pays = await createSegment([paid]);
      const not = await createSegment([
        { ...paid, operator: 'not_in' },
        { field: 'groups', operator: 'exists' },
      ]);
      await send(group(undefined, 'g-1', { plan: 'pro', address: { city: 'Rome' } }));
      await untilProcessed();
      await send(group('member-1', 'g-1'), group('member-2', 'g-2'), group('member-3', 'g-2'));
      await untilProcessed();
      expect([await members(pays), await members(not)]).toEqual([['member-1'], ['member-2', 'member-3']]);
      // One member says so, who follows at once; the others follow in the background.
      await send(group('member-2', 'g-2', { plan: 'team' }));
      await eventually(async () => expect(await members(pays)).toEqual(['member-1', 'member-2', 'member-3']));
      // A second group of one of them.
      await send(group('member-1', 'g-2'), group(undefined, 'g-2', { plan: null }));
      await eventually(async () => expect(await members(not)).toEqual(['member-2', 'member-3']));
      expect(await members(pays)).toContain('member-1');
      await send(group(undefined, 'g-1', { plan: 'free' }));
      await eventually(async () => expect(await members(pays)).not.toContain('member-1'));
      const found = await api.post('/segments/preview', {
        rules: [{ field: 'groups.address.city', operator: 'eq', value: 'Rome' }],
      });
      expect(found.body).toMatchObject({ count: 1, sample: ['member-1'], warnings: [] });
      const { body } = await api.get(`/segments/${pays}/explain/member-1`);
      expect(body).toMatchObject({ member: false, rules: [{ seen: ['free'], verdict: false }] });
      const unknown = await api.post('/segments/preview', {
        rules: [{ field: 'groups.plann', operator: 'eq', value: 'pro' }],
      });
      expect(unknown.body.warnings).toMatchObject([
        { path: 'rules[0].field', message: 'No group has `plann`; did you mean `groups.plan`?' },
      ]);
    });

    it('is previewed for segments that are there', async () => {
      const value = '00000000-0000-4000-8000-000000000000';
      const rules = [{ field: 'segments', operator: 'not_contains', value }];
      expect(await api.post('/segments/preview', { rules })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'rules[0].value', code: 'unknown_segment' }] },
      });
    });

    it('follows somebody who comes into a group by a merge', async () => {
      const rich = await createSegment([{ field: 'groups.size', operator: 'gte', value: 100 }]);
      await send(group(undefined, 'g-3', { size: 100 }), {
        ...group(undefined, 'g-3'),
        anonymousId: 'merge-visitor',
      });
      await send({ type: 'track', event: 'Visit', userId: 'merge-1' });
      await untilProcessed();
      expect(await members(rich)).toEqual([]);
      await send({ type: 'identify', userId: 'merge-1', anonymousId: 'merge-visitor', traits: {} });
      await eventually(async () => expect(await members(rich)).toEqual(['merge-1']));
    });
  });

  describe('of a segment that asks about another one', () => {
    const within = (value: string): RuleNode => ({ field: 'segments', operator: 'contains', value });
    const outside = (value: string): RuleNode => ({ field: 'segments', operator: 'not_contains', value });
    const isIn = (club: string): RuleNode => ({ field: 'club', operator: 'eq', value: club });

    it('follows events, and changes of the rules of the other one', async () => {
      await identify('club-1', { club: 'chess', level: 1 });
      await untilProcessed();
      const club = await createSegment([isIn('chess')]);
      const high = await createSegment([within(club), { field: 'level', operator: 'gte', value: 3 }]);
      const rest = await createSegment([outside(high), { field: 'club', operator: 'exists' }]);
      expect([await members(high), await members(rest)]).toEqual([[], ['club-1']]);
      await identify('club-1', { level: 3 });
      await identify('club-2', { club: 'chess', level: 4 });
      await identify('club-3', { club: 'go', level: 5 });
      await eventually(async () => {
        expect(await members(high)).toEqual(['club-1', 'club-2']);
        expect(await members(rest)).toEqual(['club-3']);
      });
      await identify('club-1', { club: 'go' });
      await eventually(async () => {
        expect(await members(high)).toEqual(['club-2']);
        expect(await members(rest)).toEqual(['club-1', 'club-3']);
      });
      expect((await api.put(`/segments/${club}`, { rules: [isIn('go')] })).status).toBe(200);
      await eventually(async () => {
        expect(await members(high)).toEqual(['club-1', 'club-3']);
        expect(await members(rest)).toEqual(['club-2']);
      });
      const preview = await api.post('/segments/preview', { rules: [within(club), outside(high)] });
      expect(preview.body).toMatchObject({ count: 0, warnings: [] });
      const { body } = await api.get(`/segments/${high}/explain/club-3`);
      expect(body).toMatchObject({ member: true, rules: [{ seen: [club], verdict: true }, { seen: 5 }] });
    });

    it('is refused where there is none, or a circle; the other one stays', async () => {
      const first = await createSegment([PRO]);
      const second = await createSegment([within(first)]);
      const third = await createSegment([PRO, { not: true, rules: [within(second)] }]);
      const problem = async (path: string, rules: RuleNode[]): Promise<unknown> =>
        (await api.put(path, { rules })).body.errors;
      const circle = [{ path: 'rules[0].value', code: 'segment_cycle' }];
      expect(await problem(`/segments/${first}`, [within(third)])).toMatchObject(circle);
      expect(await problem(`/segments/${first}`, [within(first)])).toMatchObject(circle);
      expect(await problem(`/segments/${first}`, [within(first.replace(/^./, 'f'))])).toMatchObject([
        { path: 'rules[0].value', code: 'unknown_segment' },
      ]);
      expect(await problem(`/segments/${first}`, [within('pro')])).toMatchObject([{ code: 'invalid_value' }]);
      expect(await api.delete(`/segments/${second}`)).toMatchObject({
        status: 409,
        body: { code: 'segment_in_use' },
      });
      for (const id of [third, second, first]) {
        await untilLive(id);
        expect((await api.delete(`/segments/${id}`)).status).toBe(204);
      }
    });
  });

  it('forgets an anonymous visitor who becomes a known user, and counts both', async () => {
    const three = await createSegment([{ field: 'event_count', operator: 'gte', value: 3, event: 'Look' }]);
    await send(
      { type: 'track', event: 'Look', anonymousId: 'merge-anon' },
      { type: 'track', event: 'Look', anonymousId: 'merge-anon' },
      { type: 'track', event: 'Look', anonymousId: 'merge-anon' },
    );
    await eventually(async () =>
      expect(await rowsOf(three)).toEqual([{ subject: 'a:merge-anon', member: true }]),
    );
    expect(await members(three)).toEqual([]);
    await send({ type: 'identify', userId: 'merge-user', anonymousId: 'merge-anon', traits: {} });
    await eventually(async () =>
      expect(await rowsOf(three)).toEqual([{ subject: 'u:merge-user', member: true }]),
    );
    expect(await members(three)).toEqual(['merge-user']);
  });

  describe('while a definition is computed', () => {
    it('sees to the profile of a transaction that has updated it and not yet evaluated it', async () => {
      await identify('race-1', { race: 1 });
      await untilProcessed();
      const before = await beginEvent('u:race-1', '{"race": 2}');
      const segment = await createSegment([{ field: 'race', operator: 'eq', value: 1 }]);
      expect(await members(segment)).toEqual(['race-1']);
      await before.evaluateAndCommit();
      expect(await members(segment)).toEqual([]);
    });

    it('waits for a transaction that has evaluated without knowing it', async () => {
      await identify('race-2', { race: 3 });
      await untilProcessed();
      const event = await beginEvent('u:race-2', '{"race": 4}');
      await event.evaluate();
      let created = false;
      const creation = createSegment([{ field: 'race', operator: 'in', value: [3, 4] }]).then((id) => {
        created = true;
        return id;
      });
      await eventually(async () => {
        const waiting = await database.query(
          `select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        expect(waiting).toHaveLength(1);
      });
      expect(created).toBe(false);
      await event.commit();
      expect(await members(await creation)).toEqual(['race-2']);
    });

    it('gives up, and lets events go on, when an evaluation is stuck', async () => {
      await identify('stuck-1', { stuck: 1 });
      await untilProcessed();
      const segment = await createSegment([{ field: 'stuck', operator: 'exists' }]);
      const event = await beginEvent('u:stuck-1', '{"stuck": 2}');
      await event.evaluate();
      const refused = await api.put(`/segments/${segment}`, { name: 'Renamed' });
      expect(refused).toMatchObject({ status: 503, body: { code: 'segments_busy' } });
      expect(refused.headers.get('retry-after')).toBe('1');
      await identify('stuck-2', { stuck: 3 });
      await eventually(async () => expect(await members(segment)).toEqual(['stuck-1', 'stuck-2']));
      await event.commit();
      expect((await api.put(`/segments/${segment}`, { name: 'Renamed' })).status).toBe(200);
    });

    it('keeps the verdict of an event that comes before the batch of its profile', async () => {
      await identify('race-3', { race: 5 });
      await untilProcessed();
      const segment = await createSegment([{ field: 'race', operator: 'eq', value: 5 }]);
      // As if it had been created a moment ago: nothing is computed, and the event leaves before the batch comes.
      await database.query(
        `with s as (update segment set state = 'computing', live_generation = null where id = $1 returning *),
           r as (update segment_revision set revision = revision + 1),
           m as (delete from segment_member where generation in (select generation from s)),
           t as (delete from segment_task where segment_id = $1)
         insert into segment_task (kind, segment_id, generation, end_block, filenode, run_after)
         select kind, id, generation, 10000, pg_relation_filenode('profile'), 'infinity'
         from s, unnest(array['compute', 'switch']) kind`,
        [segment],
      );
      const event = await beginEvent('u:race-3', '{"race": 6}');
      await event.evaluate();
      await database.query(`update segment_task set run_after = now() where segment_id = $1`, [segment]);
      await eventually(async () => {
        const waiting = await database.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
             and query like '%insert into segment_member%'`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      await event.commit();
      await untilLive(segment);
      expect(await members(segment)).toEqual([]);
    });
  });

  describe('windows', () => {
    it('lets people leave and come when time passes, without an event', async () => {
      await send({ type: 'track', event: 'Order', userId: 'window-1' });
      await untilProcessed();
      const orders: RuleNode = {
        field: 'event_count',
        event: 'Order',
        within: '30d',
        operator: 'gte',
        value: 1,
      };
      const bought = await createSegment([orders]);
      const idle = await createSegment([
        { ...orders, operator: 'eq', value: 0 },
        { field: 'window', operator: 'exists' },
      ]);
      const seen = await createSegment([
        { field: 'last_seen', operator: 'gt', value: '30d' },
        { field: 'window', operator: 'exists' },
      ]);
      await identify('window-1', { window: true });
      await untilProcessed();
      expect(await members(bought)).toEqual(['window-1']);
      expect(await members(idle)).toEqual([]);
      expect(await members(seen)).toEqual(['window-1']);

      const [due] = await database.query<{ days: number }>(
        `select min(due_at::date) - (now() at time zone 'UTC')::date as days from segment_member where subject = 'u:window-1'`,
      );
      expect([30, 31]).toContain(due?.days);
      await timePasses('u:window-1', 40);
      await eventually(async () => {
        expect(await members(bought)).toEqual([]);
        expect(await members(idle)).toEqual(['window-1']);
        expect(await members(seen)).toEqual([]);
      });
      await send({ type: 'track', event: 'Order', userId: 'window-1' });
      await eventually(async () => {
        expect(await members(bought)).toEqual(['window-1']);
        expect(await members(idle)).toEqual([]);
        expect(await members(seen)).toEqual(['window-1']);
      });
    });
  });

  describe('by the value of a trait', () => {
    /** Each operator with a few values, so that all of them have somebody in and somebody out. */
    const rules = OPERATORS.flatMap((operator) => {
      const given: readonly JsonValue[] = operator.endsWith('in')
        ? [
            ['pro', 5, null],
            ['2026-01-02', 1e21, [5]],
          ]
        : ['pro', 5, '2026-01-02', null, ['pro', 'free']];
      return given.map((value) => ({ field: 'traits.of.table', operator, value }));
    }).filter((rule) => parseRules([rule]).ok);

    it('has exactly those whom a plain reading of the rules has, by events and by computation', async () => {
      const segments: string[] = [];
      const [early, late] = [rules.filter((_, at) => at % 2 === 0), rules.filter((_, at) => at % 2 === 1)];
      for (const rule of early) segments.push(await createSegment([rule]));
      await send(
        { type: 'identify', userId: 'table-none', traits: { of: {} } },
        ...VALUES.map((table, at) => ({
          type: 'identify',
          userId: `table-${at}`,
          traits: { of: { table } },
        })),
      );
      await untilProcessed();
      for (const rule of late) segments.push(await createSegment([rule]));
      for (const [at, rule] of [...early, ...late].entries()) {
        const expected = [undefined, ...VALUES].flatMap((value, index) =>
          oracle(rule.operator, value, rule.value) ? [index === 0 ? 'table-none' : `table-${index - 1}`] : [],
        );
        const segment = segments[at] ?? '';
        await untilLive(segment);
        const found = (await members(segment)).filter((userId) => userId.startsWith('table-'));
        expect({ rule, found }).toEqual({ rule, found: expected.sort() });
      }
      expect(rules.length).toBeGreaterThan(35);
    }, 60_000);
  });

  /** As if all that happened to a profile had been so many days earlier. */
  async function timePasses(subject: string, days: number): Promise<void> {
    await database.query(
      `with p as (update profile set first_seen_at = first_seen_at - make_interval(days => $2),
           last_seen_at = last_seen_at - make_interval(days => $2) where subject = $1),
         d as (update profile_day set day = day - $2 where subject = $1)
       update segment_member set due_at = due_at - make_interval(days => $2) where subject = $1`,
      [subject, days],
    );
  }

  async function rowsOf(segmentId: string): Promise<unknown[]> {
    return database.query(
      `select subject, member from segment_member m join segment s on s.live_generation = m.generation
       where s.id = $1 and member order by subject`,
      [segmentId],
    );
  }

  /** What the processor of events does to one profile, step by step. */
  async function beginEvent(
    subject: string,
    traits: string,
  ): Promise<{
    evaluate(): Promise<void>;
    commit(): Promise<void>;
    evaluateAndCommit(): Promise<void>;
  }> {
    const client = await database.pool.connect();
    const tx: Tx = {
      query: async (statement, params = []) => {
        const query = typeof statement === 'string' ? { text: statement } : statement;
        return (await client.query({ ...query, values: [...params] })).rows as never[];
      },
    };
    await client.query('begin');
    const { rows } = await client.query<Parameters<typeof factsOf>[0]>(
      `update profile p set traits = traits || $2::jsonb where subject = $1 returning ${factColumnsSql}`,
      [subject, traits],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`No profile ${subject}`);
    const touched: TouchedProfile = {
      facts: factsOf(row),
      created: false,
      changedTraits: Object.keys(JSON.parse(traits)),
      events: [],
      groupsChanged: false,
      mergedSubjects: [],
    };
    const evaluate = async (): Promise<void> => {
      await service.app
        .get(Membership, { strict: false })
        .reevaluate({ profiles: [touched], groups: [] }, tx);
    };
    const commit = async (): Promise<void> => {
      await client.query('commit');
      client.release();
    };
    return { evaluate, commit, evaluateAndCommit: () => evaluate().then(commit) };
  }
});
