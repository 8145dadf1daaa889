import type { Tx } from '../../platform/database/database';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { parseRules } from '../rules/parsing/parse-rules';
import { type Predicate, storedEventCosts } from '../rules/predicate';
import type { Match } from '../../language/operators';
import { TooManyMeasuresError } from '../segment-problems';

/**
 * Each is worked out for every person of an event that has its name. With as many as this, an event of somebody with
 * 20,000 of them takes some 4 s.
 */
export const MAX_MEASURES = 200;

const IS_MEASURED = `~ '"(where|aggregate|of|from|to|sequence)"|"field": "computed[.]|"within": "[0-9]+h"'`;
/** The definition that is computed and, where that is another, the one that is read count both. */
const readDefinitionsSql = `
  select id, match, rules, live_match as "liveMatch", live_rules as "liveRules" from segment
  where rules::text ${IS_MEASURED} or live_rules::text ${IS_MEASURED}`;

interface DefinitionRow {
  readonly id: string;
  readonly match: Match;
  readonly rules: unknown;
  readonly liveMatch: Match | null;
  readonly liveRules: unknown;
}

/** What is looked at in stored events, by keys, and what each costs. */
type Costs = ReadonlyMap<string, number>;

/**
 * With the lock of all definitions (`changeRevision`) held. A measure that several segments have is one.
 * @throws TooManyMeasuresError when there would be more than a service has
 */
export async function checkMeasures(segmentId: string, predicate: Predicate, tx: Tx): Promise<void> {
  const excess = await findExcess([{ key: segmentId, predicate }], tx);
  if (excess !== undefined) throw new TooManyMeasuresError(MAX_MEASURES);
}

/** What a segment is to be. */
export interface PlannedRules {
  /** The id of the segment, or anything else where it is new. */
  readonly key: string;
  readonly predicate: Predicate;
}

/** The first of several, made one after the other, with which there would be more measures than a service has. */
export async function findExcess(
  planned: readonly PlannedRules[],
  tx: Tx,
): Promise<PlannedRules | undefined> {
  const measuring = planned.filter(({ predicate }) => storedEventCosts(predicate).size > 0);
  if (measuring.length === 0) return undefined;
  const costs = await readCosts(tx);
  const added = measuring.map(({ predicate }) => storedEventCosts(predicate));
  if (sumOf([...costs.values(), ...added]) <= MAX_MEASURES) return undefined;
  // In the place of what they were.
  return planned.find(({ key, predicate }) => {
    const own = storedEventCosts(predicate);
    costs.set(key, own);
    return own.size > 0 && sumOf(costs.values()) > MAX_MEASURES;
  });
}

/** Of each segment, by its id. */
async function readCosts(tx: Tx): Promise<Map<string, Costs>> {
  const traits = await readNamedMeasures(tx);
  const rows = await tx.query<DefinitionRow>(readDefinitionsSql);
  const costsOf = (rules: unknown, match: Match | null): Costs => {
    const parsed = parseRules(rules, match ?? 'all', traits);
    return parsed.ok ? storedEventCosts(parsed.predicate) : new Map();
  };
  return new Map(
    rows.map(({ id, match, rules, liveMatch, liveRules }) => [
      id,
      new Map([...costsOf(rules, match), ...costsOf(liveRules ?? [], liveMatch)]),
    ]),
  );
}

function sumOf(all: Iterable<Costs>): number {
  const costs = new Map<string, number>();
  for (const own of all) for (const [key, cost] of own) costs.set(key, cost);
  return [...costs.values()].reduce((total, cost) => total + cost, 0);
}
