// The computation of a segment against the bare count(*) with the same condition.
import { createRequire } from 'node:module';
import { fillProfiles } from './fill-profiles.mjs';
import { addSegment, median, openParts } from './parts.mjs';
import { figure } from '../support/figures.mjs';

const require = createRequire(import.meta.url);
const { parseRules } = require('../../dist/segments/rules/parse-rules.js');
const { predicateToSql } = require('../../dist/segments/rules/rule-to-sql.js');
const { SqlValues } = require('../../dist/segments/rules/sql-values.js');

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
      const computations = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        counts.push(await timed(() => countMatches(parts.database, rules)));
        computations.push(await timed(() => compute(parts, rules)));
      }
      const ratio = median(computations) / median(counts);
      figure('segments: computing one', `${name} of ${profiles}`, median(computations), 'ms', median(counts));
      console.log(
        `${name} of ${profiles} profiles: count(*) ${median(counts).toFixed(0)} ms, computation ` +
          `${median(computations).toFixed(0)} ms: ${ratio.toFixed(2)}x ${ratio <= TARGET_RATIO ? 'ok' : `over the target of ${TARGET_RATIO}x`}`,
      );
    }
  } finally {
    await parts.close();
  }
}

async function countMatches(database, rules) {
  const values = new SqlValues();
  const test = predicateToSql(parseRules(rules).predicate, { profile: 'p', now: 'now()', values });
  await database.query(
    `select count(*) from profile p where p.merged_into is null and ${test}`,
    values.params,
  );
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
