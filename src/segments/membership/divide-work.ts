import type { ActiveGeneration } from '../definitions/active-generation';
import { groupMeasures, measureReads } from '../rules/sql/measure-groups';
import type { MeasureField } from '../rules/predicate';
import { EvaluationCost, type ReadsEvents } from './evaluation-cost';
import type { PersonWork } from './update-people';

/** What the evaluation of one person may take in the transaction of an event, which others wait for. */
const MAX_US_AT_ONCE = 200_000;
/** What a step of the upkeep takes at most, unless one definition takes more. */
const MAX_US_OF_STEP = 500_000;

/** What is evaluated at once, and what in the background. */
export interface SplitWork {
  readonly atOnce: readonly PersonWork[];
  readonly later: readonly PersonWork[];
}

/**
 * Leaves for later what takes long: somebody with very many events, whoever sends them, holds up nobody else. A computation
 * relies on what events write meanwhile, so that is not left.
 */
export function splitByCost(work: readonly PersonWork[]): SplitWork {
  const heavy = new Set(work.filter((each) => costOf(each) > MAX_US_AT_ONCE));
  if (heavy.size === 0) return { atOnce: work, later: [] };
  return {
    atOnce: work.map((each) => (heavy.has(each) ? partOf(each, false) : each)),
    later: [...heavy].map((each) => partOf(each, true)),
  };
}

/**
 * As much of what is due as one step does, and at least one definition: the people first for whom it takes least. The rest
 * stays due.
 * @param withDependents what is to be evaluated with these definitions, in order
 */
export function portionOf(
  work: readonly PersonWork[],
  withDependents: (due: readonly ActiveGeneration[]) => readonly ActiveGeneration[],
): PersonWork[] {
  const portion: PersonWork[] = [];
  let leftUs = MAX_US_OF_STEP;
  const byCost = work.map((each) => ({ each, us: costOf(each) })).toSorted((a, b) => a.us - b.us);
  for (const { each, us } of byCost) {
    if (leftUs <= 0) break;
    const part = us > MAX_US_AT_ONCE ? fitting(each, leftUs) : each;
    leftUs -= us;
    const whole = { ...part, generations: withDependents(part.generations) };
    portion.push(part === each ? whole : readTogether(whole));
  }
  return portion;
}

/** The first definitions that can be evaluated in this time, one at least; as if each were read by itself. */
function fitting({ facts, generations, traits }: PersonWork, us: number): PersonWork {
  const cost = new EvaluationCost(facts.eventCount);
  const fits = ({ measures, sequences }: Measured): boolean => {
    const definition = { reads: measureReads(measures), sequences };
    if (cost.us > 0 && cost.us + cost.of(definition) > us) return false;
    cost.add(definition);
    return true;
  };
  return { facts, generations: generations.filter(fits), traits: traits.filter(fits) };
}

interface Measured extends Omit<ReadsEvents, 'reads'> {
  readonly measures: readonly MeasureField[];
}

/** Reads nothing but what these definitions ask for. */
function readTogether({ facts, generations, traits }: PersonWork): PersonWork {
  const groups = groupMeasures([...generations, ...traits].flatMap(({ measures }) => measures));
  const reading = <Definition extends Measured>(definition: Definition): Definition & ReadsEvents => ({
    ...definition,
    reads: measureReads(definition.measures, groups),
  });
  return { facts, generations: generations.map(reading), traits: traits.map(reading) };
}

function costOf({ facts, generations, traits }: PersonWork): number {
  const cost = new EvaluationCost(facts.eventCount);
  for (const definition of [...generations, ...traits]) cost.add(definition);
  return cost.us;
}

function partOf({ facts, generations, traits }: PersonWork, isLater: boolean): PersonWork {
  return {
    facts,
    generations: generations.filter(
      ({ phase, reads, sequences }) => (phase === 'live' && reads.length + sequences.length > 0) === isLater,
    ),
    traits: traits.filter(({ isTold }) => isTold === isLater),
  };
}
