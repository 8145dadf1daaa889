import type { ActiveGeneration } from '../definitions/active-generation';
import { groupMeasures, measureReads } from '../rules/sql/measure-groups';
import type { MeasureField } from '../rules/predicate';
import { CostTogether } from './cost-together';
import { EvaluationCost, type ReadsEvents } from './evaluation-cost';
import type { PersonWork } from './update-people';

/** What the evaluation of one person may take in the transaction of an event, which others wait for. */
const MAX_US_AT_ONCE = 200_000;
/** What the evaluation of all people of the transaction may take, which is far less than a statement may. */
const MAX_US_TOGETHER = 2_000_000;
/** What definitions that read no stored events may take together, to be evaluated at once all the same. */
const LIGHT_US = 2_000;
/** What a step of the upkeep takes at most, unless one definition takes more. */
const MAX_US_OF_STEP = 500_000;

/** What is evaluated at once, and what in the background. */
interface SplitWork {
  readonly atOnce: readonly PersonWork[];
  readonly later: readonly PersonWork[];
}

/**
 * Leaves for later what takes long: somebody with very many events, whoever sends them, holds up nobody else, and
 * neither do very many people with many. A computation relies on what events write meanwhile, so that is not left.
 */
export function splitByCost(work: readonly PersonWork[]): SplitWork {
  const heavy = heaviestOf(work);
  if (heavy.size === 0) return { atOnce: work, later: [] };
  const parted = new Map([...heavy].map((each) => [each, partsByWeight(each)] as const));
  return {
    atOnce: work.map((each) => parted.get(each)?.light ?? each),
    later: [...parted.values()].map(({ heavy: part }) => part),
  };
}

/** Those who take too long, and the heaviest of the others as long as these take too long together. */
function heaviestOf(work: readonly PersonWork[]): ReadonlySet<PersonWork> {
  const heavy = new Set<PersonWork>();
  const together = new CostTogether();
  for (const { each, cost } of lightestFirst(work)) {
    const isTooMuch = cost.us > MAX_US_AT_ONCE || together.usWith(cost) > MAX_US_TOGETHER;
    if (isTooMuch || heavy.size > 0) heavy.add(each);
    else together.add(cost);
  }
  return heavy;
}

/**
 * As much of what is due as one step does, and at least one definition: the people first for whom it takes least. The
 * rest stays due.
 * @param withDependents what is to be evaluated with these definitions, in order
 */
export function portionOf(
  work: readonly PersonWork[],
  withDependents: (due: readonly ActiveGeneration[]) => readonly ActiveGeneration[],
): PersonWork[] {
  return Array.from(lightestInTime(work), ({ each, us, leftUs }) => {
    const part = us > MAX_US_AT_ONCE ? fitting(each, leftUs) : each;
    const whole = { ...part, generations: withDependents(part.generations) };
    return part === each ? whole : readTogether(whole);
  });
}

/**
 * As many people as one step does, and at least one, each with all that is to be evaluated: for work of which nothing
 * notes that some of somebody's definitions are done.
 */
export function peopleOfStep(work: readonly PersonWork[]): PersonWork[] {
  return Array.from(lightestInTime(work), ({ each }) => each);
}

/** Those for whom it takes least first, while there is time left. */
function* lightestInTime(
  work: readonly PersonWork[],
): Generator<{ readonly each: PersonWork; readonly us: number; readonly leftUs: number }> {
  const together = new CostTogether();
  for (const { each, cost } of lightestFirst(work)) {
    const leftUs = MAX_US_OF_STEP - (together.usWith(cost) - cost.us);
    if (leftUs <= 0) return;
    yield { each, us: cost.us, leftUs };
    together.add(cost);
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

function lightestFirst(
  work: readonly PersonWork[],
): { readonly each: PersonWork; readonly cost: EvaluationCost }[] {
  return work.map((each) => ({ each, cost: costOf(each) })).toSorted((a, b) => a.cost.us - b.cost.us);
}

function costOf({ facts, generations, traits }: PersonWork): EvaluationCost {
  const cost = new EvaluationCost(facts);
  for (const definition of [...generations, ...traits]) cost.add(definition);
  return cost;
}

/** What a computation relies on is light whatever it takes, and so are traits that are not told yet. */
function partsByWeight({ facts, generations, traits }: PersonWork): {
  readonly light: PersonWork;
  readonly heavy: PersonWork;
} {
  const heavy = new Set(heavyOf(generations, facts));
  return {
    light: {
      facts,
      generations: generations.filter((each) => !heavy.has(each)),
      traits: traits.filter(({ isTold }) => !isTold),
    },
    heavy: { facts, generations: [...heavy], traits: traits.filter(({ isTold }) => isTold) },
  };
}

function heavyOf(generations: readonly ActiveGeneration[], facts: PersonWork['facts']): ActiveGeneration[] {
  const light = new EvaluationCost(facts);
  return generations.filter((generation) => {
    const { phase, reads, sequences } = generation;
    if (phase !== 'live') return false;
    if (reads.length + sequences.length > 0 || light.us + light.of(generation) > LIGHT_US) return true;
    light.add(generation);
    return false;
  });
}
