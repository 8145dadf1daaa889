import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import type { StatementOf } from '../../platform/database/statements/made-statement';
import type { ProfileFacts } from '../../profiles/touched-profile';
import type { SegmentFacts } from '../rules/memory/read-field';
import type { FactNeeds } from '../rules/predicate';
import { readDayCounts } from './read-day-counts';
import { groupTraitsIn, readGroupTraits } from './read-group-traits';
import { NO_MEASURES, type PersonMeasures } from './read-measures';
import { NO_SEQUENCES, readSequences } from './read-sequences';

/** A profile, and what the definitions to evaluate it against look at. */
interface FactsWork {
  readonly facts: ProfileFacts;
  readonly generations: readonly Omit<FactNeeds, 'measures'>[];
}

interface Reading {
  /** What `readMeasures` reads of them, at `nowMs`. */
  readonly measures: Promise<ReadonlyMap<Subject, PersonMeasures>>;
  readonly nowMs: number;
  /** How the statement of sequences is kept, unless as that of definitions that last. */
  readonly statementOf?: StatementOf;
}

/** Everything that these definitions are computed from, for one of the people; `segments` are those of the person. */
type FactsReader = (work: FactsWork, segments: ReadonlySet<string>) => SegmentFacts;

/** Reads what these definitions look at beside the profiles. It travels together. */
export async function readFacts(
  work: readonly FactsWork[],
  { measures: reading, nowMs, statementOf }: Reading,
  tx: Tx,
): Promise<FactsReader> {
  const [measures, days, sequences, traitsOfGroups] = await Promise.all([
    reading,
    readDayCounts(work, nowMs, tx),
    readSequences(work, nowMs, tx, statementOf),
    readGroupTraits(work, tx),
  ]);
  return (person, segments) => ({
    profile: person.facts,
    dayCounts: days.get(person.facts.subject) ?? [],
    measures: measures.get(person.facts.subject) ?? NO_MEASURES,
    sequences: sequences.get(person.facts.subject) ?? NO_SEQUENCES,
    segments,
    groupTraits: groupTraitsIn(person, traitsOfGroups),
    nowMs,
  });
}
