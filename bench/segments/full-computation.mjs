// @ts-check
// The computation of a segment against the bare count(*) with the same condition; and against the least that keeping
// the members can cost: a bare insert of the same people into a table with a primary key and nothing else, in two
// halves at once, as a computation works.
import { fillProfiles } from './fill-profiles.mjs';
import { addSegment, median, openParts } from './parts.mjs';
import { figure } from '../support/figures.mjs';
import { SqlValues } from '#dist/language/sql-values';
import { SCAN_TABLES_SQL } from '#dist/platform/database/statements/statement';
import { parseRules } from '#dist/segments/rules/parsing/parse-rules';
import { predicateToSql } from '#dist/segments/rules/sql/rule-to-sql';

const ROUNDS = 3;
const TARGET_RATIO = 3;

const CASES = {
  '1 % (a number)': [{ field: 'score', operator: 'gte', value: 990 }],
  '10 % (a string)': [{ field: 'plan', operator: 'eq', value: 'pro' }],
  '33 % (a string, a group of rules)': [
    { field: 'country', operator: 'eq', value: 'de' },
    {
      match: 'any',
      rules: [
        { field: 'event_count', operator: 'gte', value: 0 },
        { field: 'address.city', operator: 'eq', value: 'x' },
      ],
    },
  ],
};

export async function measure(bench, { profiles }) {
  await fillProfiles(bench.query, profiles);
  const parts = openParts(bench.url);
  try {
    for (const [name, rules] of Object.entries(CASES)) {
      const counts = [];
      const inserts = [];
      const computations = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        counts.push(await timed(() => countMatches(parts.database, rules)));
        await parts.database.query(createPlainSql);
        inserts.push(await timed(() => insertMatches(parts.database, rules)));
        await parts.database.query('drop table plain_member');
        computations.push(await timed(() => compute(parts, rules)));
      }
      const ratio = median(computations) / median(counts);
      figure('segments: computing one', `${name} of ${profiles}`, median(computations), 'ms', median(counts));
      const least = median(inserts) / median(counts);
      console.log(
        `${name} of ${profiles} profiles: count(*) ${median(counts).toFixed(0)} ms, computation ` +
          `${median(computations).toFixed(0)} ms: ${ratio.toFixed(2)}x ${ratio <= TARGET_RATIO ? 'ok' : `over the target of ${TARGET_RATIO}x`}; ` +
          `a bare insert of the same rows with one primary key ${median(inserts).toFixed(0)} ms: ${least.toFixed(2)}x`,
      );
    }
  } finally {
    await parts.close();
  }
}

const createPlainSql = `
  create table plain_member (generation integer, subject text collate "C", primary key (generation, subject))`;

async function countMatches(database, rules) {
  const { test, params } = condition(rules);
  await scan(database, `select count(*) from profile p where ${test}`, params);
}

/** As PostgreSQL would by itself. */
async function scan(database, text, params) {
  await database.transaction(async (tx) => {
    await tx.query(SCAN_TABLES_SQL);
    await tx.query(text, params);
  });
}

async function insertMatches(database, rules) {
  const { test, params } = condition(rules);
  const [{ middle }] = await database.query(`
    select pg_relation_size('profile') / current_setting('block_size')::integer / 2 as middle`);
  await Promise.all(
    ['<', '>='].map((side) =>
      scan(
        database,
        `insert into plain_member select 1, p.subject from profile p
         where p.ctid ${side} '(${middle},0)'::tid and ${test} order by 2`,
        params,
      ),
    ),
  );
}

function condition(rules) {
  const values = new SqlValues();
  const parsed = parseRules(rules);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const test = predicateToSql(parsed.predicate, { profile: 'p', now: 'now()', values });
  return { test: `p.merged_into is null and ${test}`, params: values.params };
}

/** From the creation until its members can be read. */
async function compute({ database, upkeep }, rules) {
  const id = await addSegment(database, rules);
  await upkeep.computeNow(id, Number.POSITIVE_INFINITY);
  const [{ state }] = await database.query('select state from segment where id = $1', [id]);
  if (state !== 'live') throw new Error(`The segment is ${state}.`);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
