import { uuidv7 } from 'uuidv7';
import { SqlValues } from '../../src/language/sql-values';
import { Config } from '../../src/platform/config/config';
import { Database, type OpenTransaction } from '../../src/platform/database/database';
import { previewPeople } from '../../src/segments/explaining/preview-people';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import type { RuleNode } from '../../src/segments/rules/rule';
import { predicateToSql } from '../../src/segments/rules/sql/rule-to-sql';
import { connectTestDatabase, type ConnectedDatabase } from '../support/test-database';

/** More than are counted, each in a block of its own. */
const BLOCKS = 2_100;
const PEOPLE = BLOCKS / 20;
const MEMBERS = 75_000;

describe('a preview of people', () => {
  let test: ConnectedDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await connectTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    const { client } = test;
    await client.query('alter table profile alter column traits set storage plain');
    await client.query(
      `insert into profile (subject, traits)
       select 'u:' || n, jsonb_build_object('text', repeat('x', 5000)) from generate_series(1, $1::integer) as n`,
      [BLOCKS],
    );
    await client.query('delete from profile where substr(subject, 3)::integer % 20 <> 0');
    await client.query('vacuum (truncate off) profile');
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('finds nobody twice who changes meanwhile', async () => {
    const moving = asking(movedAfter);
    const { estimated, sample, low } = await previewPeople(
      { test: 'true', values: { params: [] } as never },
      { sample: PEOPLE, exact: false },
      moving,
    );
    const named = sample.map(({ userId }) => userId);
    expect(estimated).toBe(true);
    expect(new Set(named).size).toBe(named.length);
    expect(low).toBeLessThanOrEqual(PEOPLE);
  });

  describe('of a large segment', () => {
    const segmentId = uuidv7();
    const member: RuleNode = { field: 'segments', operator: 'contains', value: segmentId };

    beforeAll(async () => {
      const { client } = test;
      await client.query(
        `insert into segment (id, name, match, rules, generation, live_generation, state)
         values ($1, 'Large', 'all', '[]', 1, 1, 'live')`,
        [segmentId],
      );
      await client.query(
        `insert into segment_member (subject, generation, member, changed_at)
         select 'u:' || n, 1, true, now() from generate_series(1, $1::integer) as n`,
        [MEMBERS],
      );
      await client.query('vacuum analyze segment_member');
      await client.query('analyze profile');
      // As if there were as many people as that in these blocks.
      await client.query('alter table profile set (autovacuum_enabled = false)');
      await client.query(`update pg_class set reltuples = 200000 where oid = 'profile'::regclass`);
    });

    it.each<[string, RuleNode]>([
      ['are in it', member],
      ['are not in it', { not: true, rules: [member] }],
      ['are in it or have a trait', { match: 'any', rules: [member, { field: 'pro', operator: 'exists' }] }],
    ])('looks for few people and not for all members, where they %s', async (_, rule) => {
      const parsed = parseRules([rule]);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
      const values = new SqlValues();
      const people = {
        test: predicateToSql(parsed.predicate, { profile: 'p', now: 'now()', values }),
        values,
      };
      const plans: string[] = [];
      const { estimated } = await previewPeople(
        people,
        { sample: 1, exact: false },
        asking(explained(plans)),
      );
      expect(estimated).toBe(true);
      expect(plans).not.toEqual([]);
      expect(plans.filter((plan) => /hash(ed SubPlan| (anti |semi )?join)/i.test(plan))).toEqual([]);
    });
  });

  /** The database, whose statements run in another way. */
  function asking(by: (tx: OpenTransaction) => OpenTransaction['query']): Database {
    return {
      transaction: (work: (tx: OpenTransaction) => Promise<unknown>) =>
        database.transaction((tx) => work(Object.assign(Object.create(tx), { query: by(tx) }))),
    } as unknown as Database;
  }

  /** Adds the plan of each statement about people. */
  function explained(plans: string[]): (tx: OpenTransaction) => OpenTransaction['query'] {
    return (tx) => async (statement, params) => {
      if (typeof statement === 'string' && statement.includes('segment_member')) {
        const plan = await tx.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, params);
        plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
      }
      return tx.query(statement, params) as never;
    };
  }

  /** Everybody is written anew, to a block that is free, after each statement. */
  function movedAfter(tx: OpenTransaction): OpenTransaction['query'] {
    return async (...asked) => {
      const rows = await tx.query(...asked);
      await test.client.query('update profile set event_count = event_count + 1');
      return rows as never;
    };
  }
});
