import * as fc from 'fast-check';
import type { Client } from 'pg';
import { EVENT_TYPES, type JsonObject, type JsonValue, type Subject } from '../../src/events/customer-event';
import { readTime } from '../../src/ingestion/parsing/field-values';
import { compilePredicate } from '../../src/segments/rules/memory/compile-predicate';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import type { Predicate } from '../../src/segments/rules/predicate';
import { OPERATORS } from '../../src/language/operators';
import { DAY_MS } from '../../src/events/partitions/partition-plan';
import type { SegmentFacts } from '../../src/segments/rules/memory/read-field';
import { predicateToSql } from '../../src/segments/rules/sql/rule-to-sql';
import { SqlValues } from '../../src/language/sql-values';
import { documentedCases, NOBODY } from '../support/documented-rules';
import { groupOracle, oracle, VALUES } from '../support/rule-oracle';
import { nearlyDate, type RandomProfile, randomProfile, randomRuleNode } from '../support/random-segments';
import { factsOf } from '../support/segment-facts';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const NOW = Date.UTC(2026, 10, 20, 16, 30);
const TODAY = Math.floor(NOW / DAY_MS);

/** Evaluation in memory by itself: compile-predicate.spec.ts, beside it. */
describe('the two evaluations of rules', () => {
  let database: ConnectedDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await connectTestDatabase();
    client = database.client;
    // A time zone of the server must not matter.
    await client.query(`set time zone 'America/St_Johns'`);
  });
  afterAll(() => database.drop());

  describe('mean what docs/segments.md says:', () => {
    it.each(documentedCases())('$rule', async ({ predicate, profiles, verdicts }) => {
      await client.query('begin');
      try {
        await store(profiles);
        expect(await evaluateInSql(predicate)).toEqual(verdicts);
      } finally {
        await client.query('rollback');
      }
    });
  });

  it.each(OPERATORS)(
    'mean what a plain reading of it says, of every value with every value: %s',
    async (operator) => {
      const traits: JsonObject[] = [{}, ...VALUES.map((trait) => ({ trait }))];
      const given = operator.endsWith('in')
        ? VALUES.map((value, at) => [value, VALUES[(at * 7) % VALUES.length]])
        : VALUES;
      await client.query('begin');
      try {
        await store(traits.map((each) => ({ ...NOBODY, traits: each })));
        let evaluated = 0;
        for (const value of operator.endsWith('exists') ? [undefined] : given) {
          const rule = { field: 'trait', operator, value };
          const parsed = parseRules([rule]);
          if (!parsed.ok) continue;
          const expected = traits.map(({ trait }) => [trait, oracle(operator, trait, value as JsonValue)]);
          const inSql = (await evaluateInSql(parsed.predicate)).map((verdict, at) => [
            traits[at]?.trait,
            verdict,
          ]);
          expect({ rule, inSql }).toEqual({ rule, inSql: expected });
          evaluated += expected.length;
        }
        expect(evaluated).toBeGreaterThan(operator.endsWith('exists') ? 60 : 2_000);
      } finally {
        await client.query('rollback');
      }
    },
  );

  it.each(OPERATORS)(
    'mean what a plain reading of it says, of the values in two groups of a person: %s',
    async (operator) => {
      const given = operator.endsWith('in') ? VALUES.map((value) => [value, 'pro']) : VALUES;
      // Nobody, one group without the trait, and each value beside another one or none.
      const people: (JsonValue | undefined)[][] = [
        [],
        [undefined],
        ...VALUES.map((value, at) => [value, at % 3 === 0 ? undefined : VALUES[(at * 7) % VALUES.length]]),
      ];
      await client.query('begin');
      try {
        await store(
          people.map((values, at) => ({
            ...NOBODY,
            groups: values.map((_, place) => `${at} ${place}`),
            groupTraits: values.map((value): JsonObject => (value === undefined ? {} : { trait: value })),
          })),
        );
        let evaluated = 0;
        for (const value of operator.endsWith('exists') ? [undefined] : given) {
          const rule = { field: 'groups.trait', operator, value };
          const parsed = parseRules([rule]);
          if (!parsed.ok) continue;
          const expected = people.map((values) => [
            values,
            groupOracle(operator, values, value as JsonValue),
          ]);
          const inSql = (await evaluateInSql(parsed.predicate)).map((verdict, at) => [people[at], verdict]);
          expect({ rule, inSql }).toEqual({ rule, inSql: expected });
          evaluated += expected.length;
        }
        expect(evaluated).toBeGreaterThan(operator.endsWith('exists') ? 60 : 2_000);
      } finally {
        await client.query('rollback');
      }
    },
  );

  it('take the dates that events take, in traits and in rules', async () => {
    const texts = fc.sample(nearlyDate, { numRuns: 3_000, seed: 1 });
    const { rows } = await client.query<{ ms: string | null }>(
      'select extract(epoch from segment_instant(text)) * 1000 as ms from unnest($1::text[]) text',
      [texts],
    );
    const inSql = texts.map((text, at) => [text, rows[at]?.ms == null ? undefined : Number(rows[at].ms)]);
    expect(inSql).toEqual(texts.map((text) => [text, readTime(text)?.ms]));
    const isRule = (value: string): boolean => parseRules([{ field: 'last_seen', operator: 'gt', value }]).ok;
    expect(texts.map(isRule)).toEqual(texts.map((text) => readTime(text) !== undefined));
    expect(new Set(texts.filter(isRule)).size).toBeGreaterThan(100);
  });

  it('agree on random rules and random profiles', async () => {
    let verdicts = 0;
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomRuleNode, { minLength: 15, maxLength: 25 }),
        fc.array(randomProfile(NOW), { minLength: 8, maxLength: 15 }),
        async (rules, profiles) => {
          const predicates = rules
            .map((rule) => ({ rule, parsed: parseRules([rule]) }))
            .flatMap(({ rule, parsed }) => (parsed.ok ? [{ rule, predicate: parsed.predicate }] : []));
          await client.query('begin');
          try {
            const facts = await store(profiles);
            for (const { rule, predicate } of predicates) {
              const test = compilePredicate(predicate);
              const inMemory = facts.map((fact) => ({ rule, facts: fact, verdict: test(fact) }));
              const inSql = await evaluateInSql(predicate);
              expect(inMemory).toEqual(facts.map((fact, at) => ({ rule, facts: fact, verdict: inSql[at] })));
              verdicts += inMemory.length;
              matches += inMemory.filter(({ verdict }) => verdict).length;
            }
          } finally {
            await client.query('rollback');
          }
        },
      ),
      { numRuns: Number(process.env.CDP_TEST_PROPERTY_RUNS ?? 150) },
    );
    // The property would say nothing if hardly anything matched, or hardly any rule was valid.
    expect(verdicts).toBeGreaterThan(1_000);
    expect(matches / verdicts).toBeGreaterThan(0.1);
    expect(matches / verdicts).toBeLessThan(0.9);
  }, 120_000);

  /** Stores the profiles, and reads back what evaluation in memory gets to see. */
  async function store(profiles: readonly RandomProfile[]): Promise<SegmentFacts[]> {
    const groups = profiles.flatMap(({ groups, groupTraits }) =>
      groups.map((groupId, at) => [groupId, JSON.stringify(groupTraits?.[at] ?? {})] as const),
    );
    // Each group once: the last of several profiles says what its traits are.
    await client.query(
      `insert into customer_group (group_id, traits)
       select g, t::jsonb from unnest($1::text[], $2::text[]) as u (g, t)`,
      [[...new Map(groups).keys()], [...new Map(groups).values()]],
    );
    for (const [at, profile] of profiles.entries()) {
      const subject = subjectAt(at);
      const totals = Object.entries(profile.totals);
      await client.query(
        `insert into profile (subject, traits, groups, event_count, event_totals, first_seen_at, last_seen_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          subject,
          JSON.stringify(profile.traits),
          profile.groups,
          totals.reduce((sum, [, count]) => sum + count, 0),
          JSON.stringify(
            Object.fromEntries(totals.map(([name, count]) => [name, { count, first: NOW, last: NOW }])),
          ),
          profile.firstSeenAt,
          profile.lastSeenAt,
        ],
      );
      for (const { name, daysAgo, count, types } of profile.days) {
        await client.query(
          `insert into profile_day values ($1, $2, '1970-01-01'::date + $3::integer, $4, $5)`,
          [
            subject,
            name,
            TODAY - daysAgo,
            count,
            types === undefined
              ? null
              : EVENT_TYPES.map((type) => types.filter((each) => each === type).length),
          ],
        );
      }
    }
    const { rows } = await client.query<{ traits: JsonObject }>(
      'select traits from profile order by subject',
    );
    const stored = await client.query<{ id: string; traits: JsonObject }>(
      'select group_id as id, traits from customer_group',
    );
    const traitsOf = new Map(stored.rows.map(({ id, traits }) => [id, traits]));
    return profiles.map((profile, at) => ({
      ...factsOf(profile, NOW, subjectAt(at), rows[at]?.traits ?? {}),
      groupTraits: profile.groups.map((groupId) => traitsOf.get(groupId) ?? {}),
    }));
  }

  async function evaluateInSql(predicate: Predicate): Promise<unknown[]> {
    const values = new SqlValues();
    const now = values.add(new Date(NOW).toISOString(), 'timestamptz');
    const sql = predicateToSql(predicate, { profile: 'p', now, values });
    const { rows } = await client.query<{ verdict: unknown }>(
      // now is not used by every rule, and PostgreSQL wants to know the type of each parameter.
      `select (${sql}) as verdict, ${now} as now from profile p order by p.subject`,
      values.params,
    );
    return rows.map(({ verdict }) => verdict);
  }
});

function subjectAt(at: number): Subject {
  return `u:${String(at).padStart(3, '0')}`;
}
