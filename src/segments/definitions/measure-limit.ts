import type { Tx } from '../../platform/database/database';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import type { NamedMeasures } from '../rules/named-measures';
import { parseRules } from '../rules/parse-rules';
import { type Predicate, storedEventKeysOf } from '../rules/predicate';
import type { Match } from '../../language/operators';
import { TooManyMeasuresError } from '../segment-problems';

/** Each is worked out for every person of an event that has its name. */
const MAX_MEASURES = 200;

const IS_MEASURED = `~ '"(where|aggregate|of|sequence)"|"field": "computed[.]|"within": "[0-9]+h"'`;
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
  const keys = new Set(storedEventKeysOf(predicate));
  if (keys.size === 0) return;
  const traits = await readNamedMeasures(tx);
  for (const row of await tx.query<DefinitionRow>(readDefinitionsSql, [segmentId])) {
    for (const key of [
      ...keysIn(row.rules, row.match, traits),
      ...keysIn(row.liveRules ?? [], row.liveMatch, traits),
    ])
      keys.add(key);
  }
  if (keys.size > MAX_MEASURES) throw new TooManyMeasuresError(MAX_MEASURES);
}

function keysIn(rules: unknown, match: Match | null, traits: NamedMeasures): string[] {
  const parsed = parseRules(rules, match ?? 'all', traits);
  return parsed.ok ? storedEventKeysOf(parsed.predicate) : [];
}
