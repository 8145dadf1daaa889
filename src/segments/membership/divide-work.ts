import type { ActiveGeneration } from '../definitions/active-generation';
import { groupMeasures, measureReads } from '../rules/sql/measure-groups';
import type { MeasureField } from '../rules/predicate';
import { EvaluationCost, type ReadsEvents } from './evaluation-cost';
import type { PersonWork } from './update-people';

/** What the evaluation of one person may take in the transaction of an event, which others wait for. */
const MAX_US_AT_ONCE = 200_000;
/** What the evaluation of all people of the transaction may take, which is far less than a statement may. */
const MAX_US_TOGETHER = 2_000_000;
/** What a definition may take that reads no stored events, to be evaluated at once all the same. */
const LIGHT_US = 2_000;
/** What a step of the upkeep takes at most, unless one definition takes more. */
const MAX_US_OF_STEP = 500_000;

/** What is evaluated at once, and what in the background. */
export interface SplitWork {
  readonly atOnce: readonly PersonWork[];
  readonly later: readonly PersonWork[];
}

/**
 * Leaves for later what takes long: somebody with very many events, whoever sends them, holds up nobody else, and neither
 * do very many people with many. A computation relies on what events write meanwhile, so that is not left.
 */
export function splitByCost(work: readonly PersonWork[]): SplitWork {
  const heavy = heaviestOf(work);
  if (heavy.size === 0) return { atOnce: work, later: [] };
  return {
    atOnce: work.map((each) => (heavy.has(each) ? partOf(each, false) : each)),
    later: [...heavy].map((each) => partOf(each, true)),
  };
}

/** Those who take too long, and the heaviest of the others as long as these take too long together. */
function heaviestOf(work: readonly PersonWork[]): ReadonlySet<PersonWork> {
  const heavy = new Set<PersonWork>();
  const byCost = work.map((each) => ({ each, us: costOf(each) })).toSorted((a, b) => b.us - a.us);
  let togetherUs = byCost.reduce((sum, { us }) => sum + us, 0);
  for (const { each, us } of byCost) {
    if (us <= MAX_US_AT_ONCE && togetherUs <= MAX_US_TOGETHER) break;
    heavy.add(each);
    togetherUs -= us;
  }
  return heavy;
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
  return Array.from(inTurn(work), ({ each, us, leftUs }) => {
    const part = us > MAX_US_AT_ONCE ? fitting(each, leftUs) : each;
    const whole = { ...part, generations: withDependents(part.generations) };
    return part === each ? whole : readTogether(whole);
  });
}

/**
 * As many people as one step does, and at least one, each with all that is to be evaluated: for work of which nothing notes
 * that some of somebody's definitions are done.
 */
export function peopleOfStep(work: readonly PersonWork[]): PersonWork[] {
  return Array.from(inTurn(work), ({ each }) => each);
}

/** Those for whom it takes least first, while there is time left. */
function* inTurn(
  work: readonly PersonWork[],
): Generator<{ readonly each: PersonWork; readonly us: number; readonly leftUs: number }> {
  let leftUs = MAX_US_OF_STEP;
  const byCost = work.map((each) => ({ each, us: costOf(each) })).toSorted((a, b) => a.us - b.us);
  for (const { each, us } of byCost) {
    if (leftUs <= 0) return;
    yield { each, us, leftUs };
    leftUs -= us;
  }
}

/** The first definitions that can be evaluated in this time, one at least; as if each were read by itself. */
function fitting({ facts, generations, traits }: PersonWork, us: number): PersonWork {
  const cost = new EvaluationCost(facts);
  const fits = ({ measures, sequences, dayCounts }: Measured): boolean => {
    const definition = { reads: measureReads(measures), sequences, dayCounts };
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
  const cost = new EvaluationCost(facts);
  for (const definition of [...generations, ...traits]) cost.add(definition);
  return cost.us;
}

function partOf({ facts, generations, traits }: PersonWork, isLater: boolean): PersonWork {
  return {
    facts,
    generations: generations.filter(
      (generation) => (generation.phase === 'live' && takesLong(generation, facts)) === isLater,
    ),
    traits: traits.filter(({ isTold }) => isTold === isLater),
  };
}

function takesLong(definition: ActiveGeneration, facts: PersonWork['facts']): boolean {
  const { reads, sequences } = definition;
  return reads.length + sequences.length > 0 || new EvaluationCost(facts).of(definition) > LIGHT_US;
}
