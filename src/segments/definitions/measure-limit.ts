import type { Tx } from '../../platform/database/database';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { parseRules } from '../rules/parsing/parse-rules';
import { type Predicate, storedEventCosts } from '../rules/predicate';
import type { Match } from '../../language/operators';
import { TooManyMeasuresError } from '../segment-problems';

/**
 * Each is worked out for every person of an event that has its name. With as many as this, an event of somebody with 20,000
 * of them takes some 4 s.
 */
const MAX_MEASURES = 200;

const IS_MEASURED = `~ '"(where|aggregate|of|from|to|sequence)"|"field": "computed[.]|"within": "[0-9]+h"'`;
/** The definition that is computed and, where that is another, the one that is read count both. */
const readDefinitionsSql = `
  select match, rules, live_match as "liveMatch", live_rules as "liveRules" from segment
  where id <> $1 and (rules::text ${IS_MEASURED} or live_rules::text ${IS_MEASURED})`;

interface DefinitionRow extends Record<string, unknown> {
  readonly match: Match;
  readonly rules: unknown;
  readonly liveMatch: Match | null;
  readonly liveRules: unknown;
}

/**
 * With the lock of all definitions (`changeRevision`) held. A measure that several segments have is one.
 * @throws TooManyMeasuresError when there would be more than a service has
 */
export async function checkMeasures(segmentId: string, predicate: Predicate, tx: Tx): Promise<void> {
  const costs = new Map(storedEventCosts(predicate));
  if (costs.size === 0) return;
  const traits = await readNamedMeasures(tx);
  for (const row of await tx.query<DefinitionRow>(readDefinitionsSql, [segmentId])) {
    for (const [rules, match] of [
      [row.rules, row.match],
      [row.liveRules ?? [], row.liveMatch],
    ] as const) {
      const parsed = parseRules(rules, match ?? 'all', traits);
      if (parsed.ok) for (const [key, cost] of storedEventCosts(parsed.predicate)) costs.set(key, cost);
    }
  }
  const sum = [...costs.values()].reduce((total, cost) => total + cost, 0);
  if (sum > MAX_MEASURES) throw new TooManyMeasuresError(MAX_MEASURES);
}
