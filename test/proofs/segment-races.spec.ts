import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { compilePredicate } from '../../src/segments/rules/memory/compile-predicate';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import type { Predicate } from '../../src/segments/rules/predicate';
import type { RuleNode } from '../../src/segments/rules/rule';
import { predicateToSql } from '../../src/segments/rules/sql/rule-to-sql';
import { SqlValues } from '../../src/language/sql-values';
import { factColumnsSql, type FactsRow, factsOf } from '../../src/profiles/state/profile-row';
import { aSource } from '../support/a-source';
import { type ApiClient, anApiClient, ApiClient as Client } from '../support/api-client';
import { eventually } from '../support/eventually';
import { DAY_MS, PEOPLE, pick, randomBatches, randomNumbers } from '../support/random-batches';
import { startTestService, type TestService } from '../support/test-service';

const ROUNDS = 1;
const ERASURES = 3;
const TOLD_SEGMENTS = 8;
const TOLD_CHANGES = 30;
const MAX_WAITING = 20;

const PRO: RuleNode = { field: 'plan', operator: 'eq', value: 'pro' };
const RULES: readonly RuleNode[][] = [
  [],
  [PRO],
  [{ field: 'plan', operator: 'neq', value: 'pro' }],
  [{ field: 'event_count', operator: 'gte', value: 12 }],
  [{ field: 'event_count', event: 'Order', operator: 'lt', value: 3 }],
  [
    { field: 'score', operator: 'lt', value: 50 },
    { not: true, rules: [PRO] },
  ],
  [{ field: 'groups', operator: 'contains', value: 'acme' }],
  [{ field: 'groups.tier', operator: 'eq', value: 'gold' }],
  [{ field: 'groups.tier', operator: 'neq', value: 'gold' }, PRO],
  [{ field: 'event_count', event: 'Order', within: '20d', operator: 'gte', value: 2 }],
  [{ sequence: [{ event: 'Order' }, { event: 'Order', within: '2d' }], within: '20d' }],
  [{ field: 'first_seen', operator: 'lt', value: '30d' }],
  [
    {
      event: 'Order',
      where: [{ field: 'properties.category', operator: 'eq', value: 'shoes' }],
      aggregate: 'sum',
      of: 'properties.total',
      within: '20d',
      operator: 'gte',
      value: 90,
    },
  ],
  [
    {
      event: 'Order',
      aggregate: 'last',
      of: 'properties.category',
      within: '30d',
      operator: 'eq',
      value: 'shoes',
    },
  ],
  [
    {
      event: 'Order',
      aggregate: 'most_frequent',
      of: 'properties.category',
      from: new Date(Date.now() - 20 * DAY_MS).toISOString(),
      operator: 'neq',
      value: 'shoes',
    },
  ],
];
/** People leave these within seconds after an event, see {@link randomBatches}. */
const PASSING: readonly RuleNode[][] = [
  [{ field: 'last_seen', operator: 'gt', value: '1h' }],
  [{ field: 'last_seen', operator: 'lt', value: '1h' }, PRO],
];

describe('segments that are created and changed while events pour in', () => {
  let services: TestService[];
  let apis: ApiClient[];
  let sources: ApiClient[];
  let database: Database;

  beforeAll(async () => {
    const first = await startTestService();
    services = [first, await startTestService({ databaseUrl: first.databaseUrl })];
    const { writeKey } = await aSource(first.databaseUrl);
    apis = await Promise.all(services.map((service) => anApiClient(service)));
    sources = services.map(({ url }) => new Client(url, { authorization: `Basic ${btoa(`${writeKey}:`)}` }));
    database = first.app.get(Database);
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.close();
  });

  it('end with exactly the members of a full evaluation: late events, repetitions, merges and erasures included', async () => {
    const random = randomNumbers(20_261_120);
    const nextBatch = randomBatches(random, 'members');
    const progress = { rounds: 0, erased: 0 };
    const isEnough = (): boolean => progress.rounds >= ROUNDS && progress.erased >= ERASURES;
    const pour = async (at: number): Promise<void> => {
      while (!isEnough()) {
        const answer = await pick(sources, at).post('/v1/batch', { batch: nextBatch() });
        expect(answer).toMatchObject({ status: 200 });
        await untilFewWait();
      }
    };
    const erase = async (): Promise<void> => {
      while (!isEnough()) {
        const answer = await pick(apis, random(2)).delete(`/profiles/user-${random(PEOPLE)}`);
        expect([200, 404]).toContain(answer.status);
        if (answer.status === 200) progress.erased += 1;
      }
    };
    const rulesOf = new Map<string, RuleNode[]>();
    const define = async (): Promise<void> => {
      while (!isEnough()) {
        for (const rules of RULES) {
          const api = pick(apis, random(2));
          if (rulesOf.size < RULES.length) rulesOf.set(await create(api, rules), rules);
          const changed = pick([...rulesOf.keys()], random(rulesOf.size));
          await eventually(async () =>
            expect(await api.put(`/segments/${changed}`, { rules })).toMatchObject({ status: 200 }),
          );
          rulesOf.set(changed, rules);
        }
        progress.rounds += 1;
      }
    };
    await Promise.all([define(), erase(), pour(0), pour(1)]);
    await untilQuiet();
    expect(rulesOf.size).toBe(RULES.length);
    let members = 0;
    for (const [segment, rules] of rulesOf) {
      const found = await storedMembers(segment);
      expect({ rules, found }).toEqual({ rules, found: await evaluate(rules) });
      const users = found.filter((subject) => subject.startsWith('u:'));
      const { body } = await pick(apis, 0).get(`/segments/${segment}`);
      expect(body).toMatchObject({ state: 'live', memberCount: users.length });
      members += users.length;
    }
    expect(members).toBeGreaterThan(50);
  });

  it('tell destinations of each move once, in order, and at the end of what is', async () => {
    const random = randomNumbers(20_261_122);
    const nextBatch = randomBatches(random, 'told');
    const destinationId = await aListener(pick(apis, 0));
    const ids: string[] = [];
    for (let count = 0; count < TOLD_SEGMENTS; count += 1) {
      const created = { name: `Told ${count}`, rules: pick(RULES, count), announceFirst: true };
      await eventually(async () => {
        const { status, body } = await pick(apis, random(2)).post('/segments', created);
        expect(status).toBe(201);
        ids.push(body.id);
      });
    }
    // Segments that ask about those that change, the last one about one that asks itself.
    const asking: RuleNode[][] = [];
    for (const [operator, at] of [
      ['contains', 0],
      ['not_contains', 1],
      ['contains', TOLD_SEGMENTS],
    ] as const) {
      const rules: RuleNode[] = [
        { field: 'segments', operator, value: pick(ids, at) },
        { field: 'score', operator: 'lt', value: 70 },
      ];
      await eventually(async () => {
        const answer = await pick(apis, 0).post('/segments?allowDuplicate=true', {
          name: 'Asking',
          rules,
          announceFirst: true,
        });
        expect(answer.status).toBe(201);
        ids.push(answer.body.id);
      });
      asking.push(rules);
    }
    const progress = { changes: 0 };
    const isOver = (): boolean => progress.changes >= TOLD_CHANGES;
    const pour = async (at: number): Promise<void> => {
      while (!isOver()) {
        const answer = await pick(sources, at).post('/v1/batch', { batch: nextBatch() });
        expect(answer).toMatchObject({ status: 200 });
        await untilFewWait();
      }
    };
    const redefine = async (): Promise<void> => {
      for (; !isOver(); progress.changes += 1) {
        const rules = pick([...RULES, ...PASSING], random(RULES.length + PASSING.length));
        const { status } = await pick(apis, random(2)).put(`/segments/${pick(ids, random(3))}`, { rules });
        expect([200, 503]).toContain(status);
      }
    };
    await Promise.all([pour(0), pour(1), redefine(), redefine()]);
    await untilQuiet();
    await eventually(async () => {
      const told = await toldMembers(destinationId, ids);
      expect(told.irregular).toEqual([]);
      expect(told.members).toEqual(await membersOf(ids));
      expect(told.notices).toBeGreaterThan(500);
      for (const [at, rules] of asking.entries()) {
        expect(await storedMembers(pick(ids, TOLD_SEGMENTS + at))).toEqual(await evaluate(rules));
      }
    });
  });

  /** A destination that is told of moves, and is paused: what it is told stays in the ledger. */
  async function aListener(api: ApiClient): Promise<string> {
    const { status, body } = await api.post('/destinations', {
      name: `Listener ${randomUUID()}`,
      type: 'webhook',
      config: { url: 'http://127.0.0.1:9' },
      notices: ['segment_entered', 'segment_exited'],
      filter: { events: ['nothing'] },
      enabled: false,
    });
    expect(status).toBe(201);
    return body.id;
  }

  /** What notices say, in the order of their times: who is a member at the end, and which do not follow each other. */
  async function toldMembers(
    destinationId: string,
    segmentIds: readonly string[],
  ): Promise<{ members: string[]; irregular: unknown[]; notices: number }> {
    const rows = await database.query<{ key: string; event: string; at: string }>(
      `select concat(payload -> 'properties' ->> 'segmentId', ' ', subject) as key, payload ->> 'event' as event,
         payload ->> 'timestamp' as at
       from delivery where destination_id = $1 and payload -> 'properties' ->> 'segmentId' = any($2)
       order by 3, id`,
      [destinationId, segmentIds],
    );
    const told = new Map<string, { event: string; at: string }[]>();
    for (const { key, ...notice } of rows) told.set(key, [...(told.get(key) ?? []), notice]);
    const irregular = [...told].filter(([, notices]) =>
      notices.some(({ event }, at) => event !== (at % 2 === 0 ? 'Segment Entered' : 'Segment Exited')),
    );
    const merged = await mergedSubjects();
    const members = [...told]
      .filter(([key, notices]) => notices.length % 2 === 1 && !merged.has(key.slice(key.indexOf(' ') + 1)))
      .map(([key]) => key);
    return { members: members.sort(), irregular, notices: rows.length };
  }

  /** They are forgotten without a notice. */
  async function mergedSubjects(): Promise<ReadonlySet<string>> {
    const rows = await database.query<{ subject: string }>(
      'select subject from profile where merged_into is not null',
    );
    return new Set(rows.map(({ subject }) => subject));
  }

  async function membersOf(segmentIds: readonly string[]): Promise<string[]> {
    const rows = await database.query<{ key: string }>(
      `select concat(segment_id, ' ', subject) as key from live_segment_member where segment_id = any($1)`,
      [segmentIds],
    );
    return rows.map(({ key }) => key).sort();
  }

  async function create(api: ApiClient, rules: RuleNode[]): Promise<string> {
    const { status, body } = await api.post('/segments', { name: `Segment ${randomUUID()}`, rules });
    expect(status).toBe(201);
    return body.id;
  }

  /** What changes at the same time is the question, not how much of it. */
  async function untilFewWait(): Promise<void> {
    await eventually(async () =>
      expect((await database.query('select from inbox')).length).toBeLessThan(MAX_WAITING),
    );
  }

  async function untilQuiet(): Promise<void> {
    await eventually(async () => {
      // With what it waits for, should it ever wait.
      expect(
        await database.query(
          `select i.*, (select jsonb_agg(jsonb_build_object('query', left(query, 90), 'event', wait_event, 'by', pg_blocking_pids(pid)))
             from pg_stat_activity where datname = current_database() and state <> 'idle') as activity
           from inbox i`,
        ),
      ).toEqual([]);
      expect(await database.query('select * from segment_task')).toEqual([]);
      expect(await database.query('select * from group_evaluation')).toEqual([]);
    }, 90_000);
  }

  async function storedMembers(segmentId: string): Promise<string[]> {
    const rows = await database.query<{ subject: string }>(
      'select subject from live_segment_member where segment_id = $1 order by subject',
      [segmentId],
    );
    return rows.map(({ subject }) => subject);
  }

  /** Everybody the rules are true of, as SQL says; and as the evaluation in memory says where it needs no windows. */
  async function evaluate(rules: RuleNode[]): Promise<string[]> {
    const parsed = parseRules(rules);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const values = new SqlValues();
    const test = predicateToSql(parsed.predicate, { profile: 'p', now: 'now()', values });
    const rows = await database.query<{ subject: string }>(
      `select subject from profile p where merged_into is null and ${test} order by subject`,
      values.params,
    );
    const subjects = rows.map(({ subject }) => subject);
    const isOfProfiles = !/within|"from"|segments|groups\./.test(JSON.stringify(rules));
    expect(isOfProfiles ? await evaluateInMemory(parsed.predicate) : subjects).toEqual(subjects);
    return subjects;
  }

  async function evaluateInMemory(predicate: Predicate): Promise<string[]> {
    const test = compilePredicate(predicate);
    const rows = await database.query<FactsRow & Record<string, unknown>>(
      `select ${factColumnsSql} from profile p where merged_into is null order by subject`,
    );
    return rows
      .filter((row) =>
        test({
          profile: factsOf(row),
          dayCounts: [],
          measures: new Map(),
          sequences: new Map(),
          segments: new Set(),
          groupTraits: [],
          nowMs: Date.now(),
        }),
      )
      .map(({ subject }) => subject);
  }
});
